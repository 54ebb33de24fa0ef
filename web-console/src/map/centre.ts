import type L from 'leaflet';
import type { MapInset } from './FleetMap';

/** Near enough to see the streets around a vehicle. */
export const CLOSE_ZOOM = 13;

/** The centre of the map that shows a place in the middle of what panels leave free. */
export function centreBeside(map: L.Map, place: L.LatLngExpression, zoom: number, covered: MapInset): L.LatLng {
  const { top, right, bottom, left } = covered;
  const point = map.project(place, zoom);
  point.x -= (left - right) / 2;
  point.y -= (top - bottom) / 2;
  return map.unproject(point, zoom);
}

/** The place in the middle of what panels leave free. */
export function freeCentre(map: L.Map, { top, right, bottom, left }: MapInset): L.LatLng {
  const { x, y } = map.getSize();
  return map.containerPointToLatLng([(left + x - right) / 2, (top + y - bottom) / 2]);
}
