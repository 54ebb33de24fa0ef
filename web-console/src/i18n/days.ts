/** Days as people write them in a language, all in digits. */
export interface Days {
  /** How a day is written, in the letters of the language's own calendar fields, e.g. `31/12/2026`. */
  pattern: string;
  /** `2026-11-21` as `21/11/2026`. */
  write: (day: string) => string;
  /** `21/11/2026` as `2026-11-21`; empty for nothing, null for what is no day. */
  read: (text: string) => string | null;
}

type Part = 'year' | 'month' | 'day';
const isPart = (type: string): type is Part => type === 'year' || type === 'month' || type === 'day';

/** How days are written in these locales. */
export function daysOf(locales: string[]): Days {
  const format = new Intl.DateTimeFormat(locales, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });
  const write = (day: string) => format.format(new Date(`${day}T00:00:00Z`));
  const example = '2026-12-31';
  const order = format.formatToParts(new Date(example)).flatMap(({ type }) => (isPart(type) ? [type] : []));
  const read = (text: string) => {
    const numbers = text.match(/\d+/g) ?? [];
    if (text.trim() === '') return '';
    if (numbers.length !== 3) return null;
    const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => Number(numbers[order.indexOf(part)]));
    const at = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
    // February has no thirtieth.
    const isDay = at.getUTCFullYear() === year && at.getUTCMonth() + 1 === month && at.getUTCDate() === day;
    return isDay ? at.toISOString().slice(0, 10) : null;
  };
  return { pattern: write(example), write, read };
}
