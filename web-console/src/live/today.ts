import { freshness } from './freshness';
import type { DayActivity, LivePosition } from './position';

/**
 * What a vehicle has come to today; null while that is not known. Its day may have ended since its newest fix: then it has
 * done nothing on the new one yet. A parked one stays parked, which it need not say for hours.
 */
export function activityToday(position: LivePosition, now: number): DayActivity | null {
  const { today, recordedAt, motion } = position;
  if (!today) return null;
  const isOver = now >= today.until;
  const day = isOver ? nothingOf(today) : today;
  if (motion !== 'parked' || freshness(position, now) === 'offline') return day;
  const since = isOver ? today.until : recordedAt;
  return { ...day, parked: day.parked + Math.max(0, now - since) / 1_000 };
}

const nothingOf = ({ until, engine }: DayActivity): DayActivity => ({
  until,
  distance: 0,
  engine: engine === null ? null : 0,
  moving: 0,
  idle: 0,
  parked: 0,
});
