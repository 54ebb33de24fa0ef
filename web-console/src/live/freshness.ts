import type { LivePosition } from './position';
import { OFFLINE_AFTER_MS } from './vehicleState';

/** A fix that is older says no more how fast a vehicle is. */
const STALE_AFTER_MS = 5 * 60_000;

/** How much a position says of now: all of it, no speed any more, or nothing. */
export type Freshness = 'fresh' | 'stale' | 'offline';

/** How much the newest position of a vehicle says of now. */
export function freshness({ recordedAt }: Pick<LivePosition, 'recordedAt'>, now: number): Freshness {
  const age = now - recordedAt;
  return age > OFFLINE_AFTER_MS ? 'offline' : age > STALE_AFTER_MS ? 'stale' : 'fresh';
}
