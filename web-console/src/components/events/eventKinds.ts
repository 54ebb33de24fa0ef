/** How much an event asks of whoever reads of it. */
type EventTone = 'critical' | 'warning' | 'neutral';

/** The kinds that there are, by modules, those that ask most in front; of each one how much it asks. */
const TONES: Record<string, Record<string, EventTone>> = {
  alarm: {
    sos: 'critical',
    accident: 'critical',
    theft: 'critical',
    fire: 'critical',
    jamming: 'critical',
    tampering: 'warning',
    removing: 'warning',
    door: 'warning',
    bonnet: 'warning',
    vibration: 'warning',
    movement: 'warning',
    fall_down: 'warning',
    low_power: 'warning',
    fault: 'warning',
    gps_antenna: 'warning',
    gps_lost: 'warning',
    sim_change: 'warning',
    geofence: 'warning',
    geofence_enter: 'warning',
    geofence_exit: 'warning',
    fuel_drain: 'warning',
    low_fuel: 'warning',
    temperature: 'warning',
    overheating: 'warning',
    high_rpm: 'warning',
    tire_pressure: 'warning',
    fatigue_driving: 'warning',
    distraction: 'warning',
    forward_collision: 'warning',
    lane_change: 'warning',
    seat_belt: 'warning',
    general: 'warning',
    power_restored: 'neutral',
    door_closed: 'neutral',
    lock: 'neutral',
    unlock: 'neutral',
    low_speed: 'neutral',
    parking: 'neutral',
    foot_brake: 'neutral',
    unknown: 'warning',
  },
  vehicle: {
    towing: 'critical',
    overspeed: 'warning',
    harsh_acceleration: 'warning',
    harsh_braking: 'warning',
    harsh_cornering: 'warning',
    parked_too_long: 'warning',
    idling: 'warning',
    ignition_on: 'neutral',
    ignition_off: 'neutral',
  },
  fuel: {
    drain: 'warning',
    fill: 'neutral',
  },
  device: {
    power_cut: 'critical',
    low_battery: 'warning',
    offline: 'warning',
    odometer_reset: 'warning',
    engine_hours_reset: 'warning',
    online: 'neutral',
  },
  maintenance: {
    overdue: 'critical',
    due: 'warning',
    due_soon: 'warning',
  },
  document: {
    expired: 'critical',
    expiring: 'warning',
  },
};

/** Kinds that are noticed, and that trackers raise themselves as well. */
const OF_TRACKERS = [
  'device.power_cut',
  'device.low_battery',
  'vehicle.towing',
  'vehicle.overspeed',
  'vehicle.harsh_acceleration',
  'vehicle.harsh_braking',
  'vehicle.harsh_cornering',
  'vehicle.idling',
];

/** All kinds, in the order in which they are offered; before those of a module the module itself, e.g. `alarm.*`. */
export const EVENT_KINDS: readonly string[] = Object.entries(TONES).flatMap(([module, kinds]) =>
  ['*', ...Object.keys(kinds)].map((name) => `${module}.${name}`),
);

/**
 * What somebody has to see to, as it is asked for: it raises an alarm, which stands until somebody acknowledges it. A tracker
 * names its alarms as it likes.
 */
export const ALARM_KINDS = ['alarm.*', 'device.power_cut', 'vehicle.towing'];

/** Those of them that there are words for, in the order in which they are offered. */
export const ALARM_NAMES: readonly string[] = EVENT_KINDS.filter(
  (kind) =>
    !kind.endsWith('*') && (ALARM_KINDS.includes(kind) || (kind.startsWith('alarm.') && eventTone(kind) !== 'neutral')),
);

/** What an alarm of a tracker can be, whatever the tracker calls it: `KNOWN_ALARMS` of the server. */
export const TRACKER_KINDS: readonly string[] = EVENT_KINDS.filter(
  (kind) => !kind.endsWith('*') && (kind.startsWith('alarm.') || OF_TRACKERS.includes(kind)),
);

/** How much an event of a kind asks. Trackers raise alarms that nobody here knows: those are warnings. */
export function eventTone(kind: string): EventTone {
  const [module = '', name = ''] = kind.split('.');
  return TONES[module]?.[name] ?? (module === 'alarm' ? 'warning' : 'neutral');
}
