import type { SilentVehicle } from '../protocol';
import { STATE_CODES } from '../vehicleState';
import type { Fleet } from './fleet';

/**
 * Of the vehicles in use those `count` that have been offline for the longest, the longest first; whatever the map is
 * narrowed to. One that has never reported is not silent but new. `clock` is the time of day.
 */
export function longestSilent(fleet: Fleet, count: number, clock: number): SilentVehicle[] {
  const found: { row: number; recordedAt: number }[] = [];
  for (let row = 0; row < fleet.size; row++) {
    if (!fleet.isShown(row) || fleet.stateCode(row, clock) !== STATE_CODES.offline) continue;
    const recordedAt = fleet.recordedAt[row] ?? 0;
    if (found.length === count && recordedAt >= (found.at(-1)?.recordedAt ?? -Infinity)) continue;
    const after = found.findIndex((other) => other.recordedAt > recordedAt);
    found.splice(after < 0 ? found.length : after, 0, { row, recordedAt });
    found.length = Math.min(found.length, count);
  }
  return found.map(({ row, recordedAt }) => ({ id: fleet.ids[row] ?? '', name: fleet.names[row] ?? '', recordedAt }));
}
