/** How much an event asks of whoever reads of it. */
type EventTone = 'critical' | 'warning' | 'neutral';

/** The kinds that there are, by modules, those that ask most in front; of each one how much it asks. */
const TONES: Record<string, Record<string, EventTone>> = {
  alarm: {
    sos: 'critical',
    accident: 'critical',
    tampering: 'warning',
    jamming: 'warning',
    fuel_drain: 'warning',
    temperature: 'warning',
    door: 'warning',
    vibration: 'warning',
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
  (kind) => !kind.endsWith('*') && (kind.startsWith('alarm.') || ALARM_KINDS.includes(kind)),
);

/** How much an event of a kind asks. Trackers raise alarms that nobody here knows: those are warnings. */
export function eventTone(kind: string): EventTone {
  const [module = '', name = ''] = kind.split('.');
  return TONES[module]?.[name] ?? (module === 'alarm' ? 'warning' : 'neutral');
}
