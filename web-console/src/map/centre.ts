import type L from 'leaflet';
import type { MapInset } from './FleetMap';

/** The least that lies between what is shown and the edge of what is free, in pixels. */
const EDGE = 48;

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

/** Fits what is shown into what panels leave free. */
export const paddingOf = ({ top, right, bottom, left }: MapInset): L.FitBoundsOptions => ({
  paddingTopLeft: [left + EDGE, top + EDGE],
  paddingBottomRight: [right + EDGE, bottom + EDGE],
});

/** Whether all of a part of the world lies in what panels leave free. */
export function isInFree(map: L.Map, area: L.LatLngBounds, { top, right, bottom, left }: MapInset): boolean {
  const northWest = map.latLngToContainerPoint(area.getNorthWest());
  const southEast = map.latLngToContainerPoint(area.getSouthEast());
  const { x, y } = map.getSize();
  return northWest.x >= left && northWest.y >= top && southEast.x <= x - right && southEast.y <= y - bottom;
}
