import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useMemo, useRef } from 'react';
import { useSelector } from 'react-redux';
import type { Language } from '@/i18n/languages';
import type { VehicleState } from '@/live/vehicleState';
import { selectIsDemo } from '@/session/sessionSlice';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import { useBaseMap } from './base/useBaseMap';
import { CLOSE_ZOOM } from './centre';
import classes from './DayMap.module.css';
import type { LatLng } from './FleetMap';
import { fitArea } from './leafletParts';
import { useBaseChoice } from './useBaseChoice';
import { useStillMap } from './useStillMap';
import { iconOf } from './vehicleMarkers';

/** Where a vehicle is, and how it is drawn. */
interface Vehicle {
  lat: number;
  lng: number;
  /** Degrees clockwise from north. */
  course: number;
  state: VehicleState;
}

interface DayMapProps {
  label: string;
  scheme: Scheme;
  language: Language;
  schematicAttribution: string;
  /** Where the vehicle has been, until not long ago. */
  track: readonly LatLng[];
  vehicle: Vehicle;
}

const EDGE = 28;
/** As near as the bundled map still shows where that is. */
const SCHEMATIC_ZOOM = 11;
/** Of the map, within which a vehicle is seen well. */
const EDGE_MARGIN = 0.05;

/** A small map of where a vehicle is and has been. */
export function DayMap({ label, scheme, language, schematicAttribution, track, vehicle }: DayMapProps) {
  const { source } = useBaseChoice();
  const [map, attach] = useStillMap();
  const roads = useSelector(selectIsDemo);
  useBaseMap(map, { source, scheme, language, schematicAttribution, roads });
  const { lat, lng, course, state } = vehicle;
  const way = useMemo((): LatLng[] => [...track, [lat, lng]], [track, lat, lng]);
  useEffect(() => {
    if (!map) return;
    const line = L.polyline(way, { interactive: false, color: MAP_COLORS[scheme].track, weight: 4, opacity: 0.85 });
    line.addTo(map);
    return () => void line.remove();
  }, [map, way, scheme]);
  useEffect(() => {
    if (!map) return;
    const icon = iconOf({ name: '', course, state }, false, false);
    const marker = L.marker([lat, lng], { icon, interactive: false, keyboard: false });
    marker.addTo(map);
    return () => void marker.remove();
  }, [map, lat, lng, course, state]);
  useFit(map, track, [lat, lng], source ? CLOSE_ZOOM : SCHEMATIC_ZOOM);
  return <div ref={attach} role="region" aria-label={label} className={classes.map} />;
}

/** Shows the whole way, and again when there is another one or the vehicle comes near the edge of what is seen. */
function useFit(map: L.Map | null, track: readonly LatLng[], [lat, lng]: LatLng, maxZoom: number): void {
  const shown = useRef<readonly unknown[]>([]);
  useEffect(() => {
    if (!map) return;
    const wanted = [map, track, maxZoom];
    const isShown = wanted.every((each, place) => shown.current[place] === each);
    if (isShown && map.getBounds().pad(-EDGE_MARGIN).contains([lat, lng])) return;
    const area = L.latLngBounds([...track, [lat, lng]]);
    fitArea(map, area, { padding: [EDGE, EDGE], maxZoom, animate: false });
    // One that is hidden shows it later.
    if (map.getSize().x > 0) shown.current = wanted;
  }, [map, track, lat, lng, maxZoom]);
}
