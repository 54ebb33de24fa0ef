import type { LivePosition } from './position';
import { USUAL_AGES } from './vehicleState';

/** How much a position says of now: all of it, no speed any more, or nothing. */
export type Freshness = 'fresh' | 'stale' | 'offline';

/** How much the newest position of a vehicle says of now. */
export function freshness({ recordedAt, ages }: Pick<LivePosition, 'recordedAt' | 'ages'>, now: number): Freshness {
  const { staleAfterMs, offlineAfterMs } = ages ?? USUAL_AGES;
  const age = now - recordedAt;
  return age > offlineAfterMs ? 'offline' : age > staleAfterMs ? 'stale' : 'fresh';
}
