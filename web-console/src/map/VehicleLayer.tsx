import { useEffect, useMemo, useRef } from 'react';
import { useMap, useMapEvents } from 'react-leaflet';
import { liveStore } from '@/live/liveStore';
import type { LivePosition } from '@/live/position';
import { vehicleState, type VehicleState } from '@/live/vehicleState';
import { MAP_COLORS, VEHICLE_COLORS, type Scheme } from '@/theme/tokens';
import type { Appearance } from './engine/protocol';
import type { VehicleFix } from './engine/scene';
import { LeafletVehicleLayer } from './leafletVehicleLayer';

/** Vehicles of the live store on the map. */
export interface VehicleLayerProps {
  scheme: Scheme;
  /** Names by device id; a vehicle without one is not named. */
  names: Record<string, string>;
  /** The states shown; null for all. */
  states: VehicleState[] | null;
  selected: string | null;
  onSelect: (deviceId: string | null) => void;
}

const fixOf = (position: LivePosition): VehicleFix => ({
  id: position.deviceId,
  lat: position.lat,
  lng: position.lng,
  heading: position.course,
  recordedAt: position.recordedAt,
  state: vehicleState(position, position.recordedAt),
});

const appearanceOf = (scheme: Scheme): Appearance => ({
  states: VEHICLE_COLORS[scheme],
  outline: MAP_COLORS[scheme].outline,
  selection: MAP_COLORS[scheme].selection,
  label: MAP_COLORS[scheme].name,
  labelHalo: MAP_COLORS[scheme].labelHalo,
  cluster: MAP_COLORS[scheme].cluster,
  clusterText: MAP_COLORS[scheme].clusterText,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  reducedMotion: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
});

/** Draws the vehicles of the live store, and tells which one was clicked. */
export function VehicleLayer({ scheme, names, states, selected, onSelect }: VehicleLayerProps) {
  const map = useMap();
  const layer = useMemo(() => new LeafletVehicleLayer(), []);
  const clicks = useRef(0);

  useEffect(() => {
    layer.addTo(map);
    const everything = () => layer.renderer?.send({ type: 'update', fixes: [...liveStore.all()].map(fixOf) });
    everything();
    const stop = liveStore.feed((batch, reset) => {
      if (reset) layer.renderer?.send({ type: 'clear' });
      layer.renderer?.send({ type: 'update', fixes: batch.map(fixOf) });
    });
    return () => {
      stop();
      layer.remove();
    };
  }, [layer, map]);

  useEffect(() => layer.renderer?.send({ type: 'appearance', appearance: appearanceOf(scheme) }), [layer, scheme]);
  useEffect(() => layer.renderer?.send({ type: 'names', names }), [layer, names]);
  useEffect(() => layer.renderer?.send({ type: 'filter', states }), [layer, states]);
  useEffect(() => layer.renderer?.send({ type: 'select', id: selected }), [layer, selected]);

  useMapEvents({
    click: (event) => {
      const click = ++clicks.current;
      void layer.vehicleAt(event.containerPoint).then((id) => {
        if (click === clicks.current) onSelect(id);
      });
    },
  });
  return null;
}
