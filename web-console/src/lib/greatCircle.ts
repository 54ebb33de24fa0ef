/** A place in degrees, as the map takes it. */
export type Place = readonly [lat: number, lng: number];

/** Mean radius of the earth in metres (IUGG). */
const EARTH_M = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres of the shortest way over the globe between two places, by the haversine formula: right to 0.5 %, however far. */
export function metresApart([aLat, aLng]: Place, [bLat, bLng]: Place): number {
  const halfLat = Math.sin(radians(bLat - aLat) / 2);
  const halfLng = Math.sin(radians(bLng - aLng) / 2);
  const part = halfLat * halfLat + Math.cos(radians(aLat)) * Math.cos(radians(bLat)) * halfLng * halfLng;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(part)));
}

/** Metres along places that follow each other, up to each of them: the first has 0. */
export function metresAlong(places: readonly Place[]): number[] {
  let sum = 0;
  return places.map((place, index) => {
    const before = places[index - 1];
    if (before) sum += metresApart(before, place);
    return sum;
  });
}

/** Degrees clockwise from north in which one sets out for another place on the shortest way. */
export function bearingTo([aLat, aLng]: Place, [bLat, bLng]: Place): number {
  const east = Math.sin(radians(bLng - aLng)) * Math.cos(radians(bLat));
  const north =
    Math.cos(radians(aLat)) * Math.sin(radians(bLat)) -
    Math.sin(radians(aLat)) * Math.cos(radians(bLat)) * Math.cos(radians(bLng - aLng));
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** The eight directions of a compass, clockwise from north. */
const COMPASS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;

/** Which of them is the nearest to a bearing in degrees. */
export const compassPoint = (bearing: number): (typeof COMPASS)[number] =>
  COMPASS[Math.round(bearing / 45) % COMPASS.length] ?? 'n';
