/** What of thresholds is about the same, by the names of the contract, in the order in which they are shown. */
export const THRESHOLD_GROUPS = {
  motion: ['moving_speed', 'min_trip_distance', 'min_trip_seconds', 'tow_distance'],
  standing: ['stop_seconds', 'idle_seconds', 'idle_alert_seconds'],
  connection: ['gap_seconds', 'stale_seconds', 'offline_seconds'],
} as const;

/** From when on a vehicle moves, has stopped, stands idle, is silent. */
export type Threshold = (typeof THRESHOLD_GROUPS)[keyof typeof THRESHOLD_GROUPS][number];

/** All of them. */
export const THRESHOLDS: readonly Threshold[] = Object.values(THRESHOLD_GROUPS).flat();

/** Key of the unit of one: minutes, unless it is no time. */
export const unitOf = (name: Threshold): 'speed' | 'metres' | 'minutes' =>
  name === 'moving_speed' ? 'speed' : name.endsWith('_distance') ? 'metres' : 'minutes';

/** How many of what the contract counts are one of that unit: it counts seconds. */
export const perUnitOf = (name: Threshold): number => (unitOf(name) === 'minutes' ? 60 : 1);
