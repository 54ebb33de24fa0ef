import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import type { Language } from '@/i18n/languages';
import { selectIsDemo } from '@/session/sessionSlice';
import { VEHICLE_COLORS, MAP_COLORS, type Scheme } from '@/theme/tokens';
import { useBaseMap } from './base/useBaseMap';
import { CLOSE_ZOOM } from './centre';
import type { LatLng } from './FleetMap';
import classes from './PlaceMap.module.css';
import { useBaseChoice } from './useBaseChoice';
import { useStillMap } from './useStillMap';

interface PlaceMapProps {
  label: string;
  scheme: Scheme;
  language: Language;
  schematicAttribution: string;
  /** Where something happened. */
  place: LatLng;
}

/** As near as the bundled map still shows where that is. */
const SCHEMATIC_ZOOM = 9;

/** A small map of one place. */
export function PlaceMap({ label, scheme, language, schematicAttribution, place: [lat, lng] }: PlaceMapProps) {
  const { source } = useBaseChoice();
  const [map, attach] = useStillMap();
  const roads = useSelector(selectIsDemo);
  useBaseMap(map, { source, scheme, language, schematicAttribution, roads });
  useEffect(() => {
    map?.setView([lat, lng], source ? CLOSE_ZOOM : SCHEMATIC_ZOOM, { animate: false });
  }, [map, lat, lng, source]);
  useEffect(() => {
    if (!map) return;
    const mark = L.circleMarker([lat, lng], {
      radius: 9,
      interactive: false,
      color: MAP_COLORS[scheme].outline,
      weight: 3,
      fillColor: VEHICLE_COLORS[scheme].alarm,
      fillOpacity: 1,
    });
    mark.addTo(map);
    return () => void mark.remove();
  }, [map, lat, lng, scheme]);
  return <div ref={attach} role="region" aria-label={label} className={classes.map} />;
}
