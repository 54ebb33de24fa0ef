import { readPlace, writePlace } from '@/lib/coordinates';
import type { MapArea } from '@/map/FleetMap';

/** A part of the map as its address keeps it: `-6.20314,106.85525,12`, the middle and the zoom. */
export const writeArea = ({ centre, zoom }: MapArea): string => `${writePlace(centre).replace(' ', '')},${zoom}`;

/** The part of the map that an address names; null when it names none. */
export function readArea(text: string | null): MapArea | null {
  const [, place = '', zoom = ''] = /^(.+),(\d{1,2})$/.exec(text ?? '') ?? [];
  const centre = readPlace(place);
  return centre && { centre: [centre[0], centre[1]], zoom: Number(zoom) };
}
