import L from 'leaflet';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useMap, useMapEvents } from 'react-leaflet';
import { live } from '@/live/live';
import type { Appearance } from '@/live/protocol';
import type { VehicleState } from '@/live/vehicleState';
import { MAP_COLORS, VEHICLE_COLORS, type Scheme } from '@/theme/tokens';
import type { LatLng } from './FleetMap';
import { LeafletVehicleLayer } from './leafletVehicleLayer';
import { prefersReducedMotion } from './reducedMotion';
import { useVehicleHint } from './useVehicleHint';

/** Keys that were held with a click. */
export type HeldKeys = Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** What is drawn besides vehicles. */
export interface VehicleLayers {
  /** Whether all names are written. */
  names: boolean;
  /** So large that a room can read them, from however far away the map is seen. */
  large?: boolean;
  /** Where the chosen vehicles have been. */
  trails: boolean;
}

/** Farther away even a few names would say little. */
const NAMES = { nameSize: 11, namesFrom: 8 };
const LARGE_NAMES = { nameSize: 20, namesFrom: 0 };

/** The fleet on the map. */
export interface VehicleLayerProps {
  scheme: Scheme;
  /** The states shown; null for all. */
  states: VehicleState[] | null;
  /** Only who is in one of these, or in one that lies in it, is shown; null for all. */
  groups: string[] | null;
  /** Only what it finds is shown. */
  search: string;
  layers: VehicleLayers;
  chosen: string[];
  onSelect: (deviceId: string | null, held: HeldKeys) => void;
  /** Takes the place of a click instead. */
  onPlace: ((place: LatLng) => void) | null;
}

/** A bubble is opened at least this many zooms. */
const OPEN_BUBBLE = 2;
const OPEN_BUBBLE_EDGE = 80;

const appearanceOf = (scheme: Scheme, { names, large, trails }: VehicleLayers): Appearance => ({
  states: VEHICLE_COLORS[scheme],
  outline: MAP_COLORS[scheme].outline,
  selection: MAP_COLORS[scheme].selection,
  label: MAP_COLORS[scheme].name,
  labelHalo: MAP_COLORS[scheme].labelHalo,
  trail: MAP_COLORS[scheme].track,
  names,
  ...(large ? LARGE_NAMES : NAMES),
  trails,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  reducedMotion: prefersReducedMotion(),
});

/** Draws the vehicles, tells which one was clicked, and opens bubbles. */
export function VehicleLayer(props: VehicleLayerProps) {
  const { scheme, layers, states, groups, search, chosen, onSelect, onPlace } = props;
  const map = useMap();
  const worker = useSyncExternalStore(live.subscribe, live.worker);
  // A canvas is handed over to one worker, once.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- another worker needs another canvas
  const layer = useMemo(() => new LeafletVehicleLayer(), [worker]);
  const clicks = useRef(0);

  useEffect(() => {
    layer.addTo(map);
    return () => {
      layer.remove();
    };
  }, [layer, map]);

  useEffect(() => live.send({ type: 'appearance', appearance: appearanceOf(scheme, layers) }), [layer, scheme, layers]);
  useEffect(() => live.send({ type: 'filter', states, groups, search }), [layer, states, groups, search]);
  // The trails of those that stay chosen go on.
  useEffect(() => live.choose(chosen), [chosen]);
  useEffect(() => () => live.choose([]), []);

  useVehicleHint(layer);

  useMapEvents({
    click: (event) => {
      if (onPlace) return onPlace([event.latlng.lat, event.latlng.lng]);
      const click = ++clicks.current;
      void layer.hit(event.containerPoint).then((hit) => {
        if (click !== clicks.current) return;
        if (hit?.kind !== 'bubble') return onSelect(hit?.id ?? null, event.originalEvent);
        const { west, south, east, north } = hit.bounds;
        const bounds = L.latLngBounds([south, west], [north, east]);
        const padding = L.point(OPEN_BUBBLE_EDGE, OPEN_BUBBLE_EDGE);
        const wanted = Math.max(map.getZoom() + OPEN_BUBBLE, map.getBoundsZoom(bounds, false, padding));
        map.setView(bounds.getCenter(), Math.min(map.getMaxZoom(), wanted), { animate: !prefersReducedMotion() });
      });
    },
  });
  return null;
}
