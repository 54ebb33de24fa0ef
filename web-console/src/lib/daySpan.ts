import { addDays, dayBegins } from '@/i18n/timeZone';

/** A year that is still being typed is earlier than this. */
const FIRST_YEAR = '2000';

/** Whether a day is there and its year is not still being typed. */
export const isWholeDay = (day: string): boolean => day >= FIRST_YEAR;

/** Chosen days, both of them whole, as calls take them: from one instant up to another, in a zone. */
export function spanOfDays(filters: Record<string, string[]>, timeZone: string | undefined) {
  const begins = (day: string | undefined) => (day ? dayBegins(day, timeZone)?.toISOString() : undefined);
  const [from, to] = [filters.from?.[0], filters.to?.[0]];
  const until = to && begins(to) ? begins(addDays(to, 1)) : undefined;
  return { from: [begins(from) ?? []].flat(), to: [until ?? []].flat() };
}
