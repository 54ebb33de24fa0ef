import type { Place } from './greatCircle';

const NUMBER = String.raw`[-+]?\d{1,3}(?:\.\d+)?`;
const PLACE = new RegExp(`^\\s*(${NUMBER})\\s*[,; ]\\s*(${NUMBER})\\s*$`);

/** A place as map programs take it, e.g. `-6.20314, 106.85525`: with points in every language, exact to a metre. */
export const writePlace = ([lat, lng]: Place): string => `${lat.toFixed(5)}, ${lng.toFixed(5)}`;

/** The place that somebody typed or pasted as latitude and longitude in degrees; null when it is none. */
export function readPlace(text: string): Place | null {
  const [, first, second] = PLACE.exec(text) ?? [];
  if (first === undefined || second === undefined) return null;
  const [lat, lng] = [Number(first), Number(second)];
  return Math.abs(lat) <= 85 && Math.abs(lng) <= 180 ? [lat, lng] : null;
}
