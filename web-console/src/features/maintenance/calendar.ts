import { addDays } from '@/i18n/timeZone';

/** `2026-11`. */
export type Month = string;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAYS = 7;

/** The month of a day. */
export const monthOf = (day: string): Month => day.slice(0, 7);

/** A month as an address has it; `otherwise` when that says none. */
export const monthIn = (text: string | null, otherwise: Month): Month => (text && MONTH.test(text) ? text : otherwise);

/** The month that many months later. */
export function addMonths(month: Month, months: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The weeks that a month touches, from Monday to Sunday. */
export function weeksOf(month: Month): string[][] {
  const first = `${month}-01`;
  const behindMonday = (new Date(`${first}T00:00:00Z`).getUTCDay() + DAYS - 1) % DAYS;
  const weeks: string[][] = [];
  for (let monday = addDays(first, -behindMonday); monthOf(monday) <= month; monday = addDays(monday, DAYS)) {
    weeks.push(Array.from({ length: DAYS }, (_each, place) => addDays(monday, place)));
  }
  return weeks;
}
