import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useCallback, useEffect, useState } from 'react';
import type { Language } from '@/i18n/languages';
import { VEHICLE_COLORS, MAP_COLORS, type Scheme } from '@/theme/tokens';
import { useBaseMap } from './base/useBaseMap';
import { CLOSE_ZOOM } from './centre';
import type { LatLng } from './FleetMap';
import { keepSize } from './leafletParts';
import classes from './PlaceMap.module.css';
import { useBaseChoice } from './useBaseChoice';

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

/** A small map of one place. It is looked at: who wants to go about on it has the map itself. */
export function PlaceMap({ label, scheme, language, schematicAttribution, place: [lat, lng] }: PlaceMapProps) {
  const { source } = useBaseChoice();
  const [map, setMap] = useState<L.Map | null>(null);
  const attach = useCallback((element: HTMLDivElement) => {
    const made = L.map(element, {
      zoomControl: false,
      dragging: false,
      scrollWheelZoom: false,
      doubleClickZoom: false,
      touchZoom: false,
      boxZoom: false,
      keyboard: false,
    });
    made.attributionControl.setPrefix(false);
    const end = keepSize(made);
    setMap(made);
    return () => {
      end();
      setMap(null);
      made.remove();
    };
  }, []);
  useBaseMap(map, { source, scheme, language, schematicAttribution });
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
