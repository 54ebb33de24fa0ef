import type { Rejection } from '@/api/types';

/** Days shown side by side, the newest ones. */
const DAYS = 7;

/** The counts as a table: a row a reason, a column a day, newest day first. */
export interface CountTable {
  days: string[];
  rows: { reason: string; perDay: number[]; total: number }[];
}

/** Puts counts into a table. The total covers all days, shown or not. */
export function byReasonAndDay(counts: Rejection[]): CountTable {
  const days = [...new Set(counts.map(({ day }) => day))].sort().reverse().slice(0, DAYS);
  const rows = new Map<string, CountTable['rows'][number]>();
  for (const { day, reason, count } of counts) {
    const row = rows.get(reason) ?? { reason, perDay: days.map(() => 0), total: 0 };
    rows.set(reason, row);
    row.total += count;
    const column = days.indexOf(day);
    if (column >= 0) row.perDay[column] = (row.perDay[column] ?? 0) + count;
  }
  return { days, rows: [...rows.values()].sort((a, b) => b.total - a.total) };
}
