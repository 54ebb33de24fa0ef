import { bearingTo, metresApart, type Place } from '@/lib/greatCircle';

/** A town as the console's own map has it. */
export type Town = [name: string, lat: number, lng: number, rank: number];

/** Where a place lies, seen from a town. */
interface FromTown {
  name: string;
  metres: number;
  /** Degrees clockwise from north in which one leaves the town for the place. */
  bearing: number;
}

/** The town that is nearest to a place; null of no towns. */
export function nearestTown(place: Place, towns: readonly Town[]): FromTown | null {
  let nearest: FromTown | null = null;
  for (const [name, lat, lng] of towns) {
    const metres = metresApart([lat, lng], place);
    if (nearest && metres >= nearest.metres) continue;
    nearest = { name, metres, bearing: bearingTo([lat, lng], place) };
  }
  return nearest;
}
