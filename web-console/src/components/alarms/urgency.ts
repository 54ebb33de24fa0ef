import type { Alarm } from '@/api/generated';

/** Somebody may be hurt: these come before what only things suffer. */
const OF_PEOPLE = ['alarm.sos', 'alarm.accident'];

const rank = ({ severity, kind }: Alarm): number => (severity !== 'critical' ? 2 : OF_PEOPLE.includes(kind) ? 0 : 1);

/** Those that ask most in front; of those that ask as much, the one that was raised last. */
export const byUrgency = (alarms: readonly Alarm[]): Alarm[] =>
  alarms.toSorted((a, b) => rank(a) - rank(b) || Date.parse(b.first_at) - Date.parse(a.first_at));

const HOUR_S = 3_600;

/** How long an alarm stands: to the second while that counts, and then as any other length of time. */
export function runningTime(firstAt: string, now: number, duration: (seconds: number) => string): string {
  // Clocks differ a little.
  const seconds = Math.max(0, Math.floor((now - Date.parse(firstAt)) / 1_000));
  if (seconds >= HOUR_S) return duration(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
