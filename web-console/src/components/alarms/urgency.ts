import type { Alarm } from '@/api/generated';

/** Somebody may be hurt: these come before what only things suffer. */
const OF_PEOPLE = ['alarm.sos', 'alarm.accident'];

const rank = ({ severity, kind }: Alarm): number => (severity !== 'critical' ? 2 : OF_PEOPLE.includes(kind) ? 0 : 1);

/** Those that ask most in front; of those that ask as much, the one that was raised last. */
export const byUrgency = (alarms: readonly Alarm[]): Alarm[] =>
  alarms.toSorted((a, b) => rank(a) - rank(b) || Date.parse(b.first_at) - Date.parse(a.first_at));
