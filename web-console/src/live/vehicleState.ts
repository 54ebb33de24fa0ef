import type { Ages, LivePosition } from './position';

/** What of a position says how its vehicle is shown. */
type StateFields = Pick<LivePosition, 'recordedAt' | 'motion' | 'speed' | 'ignition' | 'ages'>;

/** How a vehicle is shown. The order is that of the chips. */
export const VEHICLE_STATES = ['moving', 'idle', 'parked', 'offline', 'no_data', 'alarm'] as const;
/** One of them. */
export type VehicleState = (typeof VEHICLE_STATES)[number];

/** The place of each state in `VEHICLE_STATES`. */
export const STATE_CODES = Object.fromEntries(VEHICLE_STATES.map((state, code) => [state, code])) as Record<
  VehicleState,
  number
>;

/** As long as nobody has changed the thresholds of the tenant or of the vehicle. */
export const USUAL_AGES: Ages = { staleAfterMs: 5 * 60_000, offlineAfterMs: 10 * 60_000 };

/**
 * What a vehicle does whose newest position is this one. An old position says nothing of now, so offline comes before
 * everything that it claims. An alarm that stands would come first: that is said by the device, see `Fleet.stateCode`.
 */
export function vehicleState(position: StateFields | null | undefined, now: number): VehicleState {
  if (!position) return 'no_data';
  if (now - position.recordedAt > (position.ages ?? USUAL_AGES).offlineAfterMs) return 'offline';
  if (position.motion !== 'unspecified') return position.motion;
  return position.speed > 0 ? 'moving' : position.ignition ? 'idle' : 'parked';
}
