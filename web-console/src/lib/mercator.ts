/** Spherical Mercator with the world as the unit square, x to the east and y to the south. */

const MAX_LAT = 85.0511287798;
/** Metres around the equator. */
const EQUATOR_M = 40_075_016.686;
const TILE = 256;

/** x of a longitude. */
export const unitX = (lng: number): number => (lng + 180) / 360;

/** y of a latitude; those that Mercator cannot show are moved to its edge. */
export function unitY(lat: number): number {
  const sin = Math.sin((Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
}

/** Longitude of an x. */
export const lngOf = (x: number): number => x * 360 - 180;

/** Latitude of a y. */
export const latOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Pixels of the whole world at a zoom. */
export const worldPixels = (zoom: number): number => TILE * 2 ** zoom;

/** Metres between two points that are near each other. */
export function metresBetween(ax: number, ay: number, bx: number, by: number): number {
  const stretch = Math.cos((latOf((ay + by) / 2) * Math.PI) / 180);
  return Math.hypot(bx - ax, by - ay) * EQUATOR_M * stretch;
}
