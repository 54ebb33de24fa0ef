import { bearingTo, metresApart, type Place } from '@/lib/greatCircle';
import { latOf, lngOf } from '@/lib/mercator';
import type { NearVehicle } from '../protocol';
import { VEHICLE_STATES } from '../vehicleState';
import type { Fleet } from './fleet';
import type { MapFilter } from './mapFilter';

/** Of the vehicles on the map the `count` nearest to a place, the nearest first. `clock` is the time of day. */
export function nearestVehicles(
  fleet: Fleet,
  filter: MapFilter,
  { lat, lng, count }: { lat: number; lng: number; count: number },
  clock: number,
): NearVehicle[] {
  const found: { row: number; state: number; metres: number }[] = [];
  filter.forEach(clock, (row, state) => {
    const metres = metresApart([lat, lng], placeOf(fleet, row));
    if (found.length === count && metres >= (found.at(-1)?.metres ?? 0)) return;
    const after = found.findIndex((other) => other.metres > metres);
    found.splice(after < 0 ? found.length : after, 0, { row, state, metres });
    found.length = Math.min(found.length, count);
  });
  return found.map(({ row, state, metres }) => ({
    id: fleet.ids[row] ?? '',
    name: fleet.names[row] ?? '',
    state: VEHICLE_STATES[state] ?? 'no_data',
    recordedAt: fleet.recordedAt[row] ?? 0,
    metres,
    bearing: bearingTo([lat, lng], placeOf(fleet, row)),
  }));
}

/** Where the newest fix of a row lies. */
function placeOf(fleet: Fleet, row: number): Place {
  return [latOf(fleet.glides.targetY(row)), lngOf(fleet.glides.targetX(row))];
}
