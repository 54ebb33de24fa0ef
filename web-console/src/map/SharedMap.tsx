import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useMemo, useRef } from 'react';
import { useBaseMap, type BaseMap } from './base/useBaseMap';
import { CLOSE_ZOOM } from './centre';
import { INDONESIA, fitArea, useLeafletMap, useScale, useZoomControl } from './leafletParts';
import { prefersReducedMotion } from './reducedMotion';
import classes from './SharedMap.module.css';
import { VehicleMarkers, type PlacedVehicle } from './vehicleMarkers';

interface SharedMapProps extends BaseMap {
  label: string;
  zoomInLabel: string;
  zoomOutLabel: string;
  vehicles: PlacedVehicle[];
  selected: number | null;
  following: boolean;
  onSelect: (number: number) => void;
  /** The map was dragged away from it. */
  onFollowEnd: () => void;
}

const ZOOMS = { minZoom: 3, maxZoom: 18 };
const EDGE = 48;
/** As near as the bundled map still shows where that is. */
const SCHEMATIC_ZOOM = 9;

/**
 * The map of a share link: some vehicles, each an element of the page. The console's map draws many thousands in a worker,
 * which would be more to load than all of this.
 */
export function SharedMap(props: SharedMapProps) {
  const { vehicles, selected, following, onSelect, onFollowEnd } = props;
  const near = props.source ? CLOSE_ZOOM : SCHEMATIC_ZOOM;
  const [map, attach] = useLeafletMap(ZOOMS);
  useEffect(() => void map?.fitBounds(INDONESIA), [map]);

  useEffect(() => {
    map?.on('dragstart', onFollowEnd);
    return () => void map?.off('dragstart', onFollowEnd);
  }, [map, onFollowEnd]);

  useBaseMap(map, props);
  useZoomControl(map, props.zoomInLabel, props.zoomOutLabel);
  useScale(map);

  const markers = useMemo(() => map && new VehicleMarkers(map), [map]);
  useEffect(() => markers?.show(vehicles, selected, onSelect), [markers, vehicles, selected, onSelect]);
  useEffect(() => () => markers?.remove(), [markers]);
  useFirstView(map, vehicles, near);

  const followed = following ? vehicles.find(({ number }) => number === selected) : undefined;
  const { lat, lng } = followed ?? {};
  useEffect(() => {
    if (!map || lat === undefined || lng === undefined) return;
    map.setView([lat, lng], Math.max(map.getZoom(), near), { animate: !prefersReducedMotion() });
  }, [map, lat, lng, near]);

  return <div ref={attach} role="region" aria-label={props.label} className={classes.map} />;
}

/** Shows all vehicles when something is first known of one. */
function useFirstView(map: L.Map | null, vehicles: PlacedVehicle[], near: number): void {
  const shownOn = useRef<L.Map | null>(null);
  useEffect(() => {
    if (!map || shownOn.current === map || vehicles.length === 0) return;
    shownOn.current = map;
    const bounds = L.latLngBounds(vehicles.map(({ lat, lng }) => [lat, lng]));
    fitArea(map, bounds, { padding: [EDGE, EDGE], maxZoom: near, animate: false });
  }, [map, vehicles, near]);
}
