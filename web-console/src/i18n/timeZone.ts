/** Indonesia's zones go by these names in every language. */
const INDONESIAN: Record<string, string> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Ujung_Pandang': 'WITA',
  'Asia/Jayapura': 'WIT',
};

const names = new Map<string, Intl.DateTimeFormat>();
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The zone of this browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function formatOf(formats: typeof names, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { ...options, timeZone });
    formats.set(timeZone, format);
  }
  return format;
}

/** What a zone is called at an instant: `WIB`, `WITA`, `WIT`, or as `GMT+9`. The browser's when none is named. */
export function zoneName(at: Date, timeZone: string = browserZone()): string {
  const own = INDONESIAN[timeZone];
  if (own) return own;
  const parts = formatOf(names, timeZone, { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** What the clocks of a zone show, as if they were those of UTC. */
function wallTime(at: number, timeZone: string): number {
  const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = formatOf(clocks, timeZone, { ...options, hour: 'numeric', minute: 'numeric', second: 'numeric' });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY = 86_400_000;

/** The instant of a time on the wall, given as if it were one of UTC, near an instant. */
function atWall(wall: number, near: number, timeZone: string): Date {
  const offsetAt = (instant: number) => wallTime(instant, timeZone) - Math.floor(instant / 1_000) * 1_000;
  // The clocks may have been put forward or back since.
  const about = wall - offsetAt(near);
  return new Date(wall - offsetAt(about));
}

/** The midnight with which the day of an instant began in a zone; the browser's when none is named. */
export function startOfDay(at: number, timeZone: string = browserZone()): Date {
  return atWall(Math.floor(wallTime(at, timeZone) / DAY) * DAY, at, timeZone);
}

/** What clocks of a zone show at an instant, to the minute: `2026-11-21T17:00`. */
export const clockAt = (at: number, timeZone: string = browserZone()): string =>
  new Date(wallTime(at, timeZone)).toISOString().slice(0, 16);

/** The instant at which they show that; undefined for what no clock shows. */
export function instantOf(clock: string, timeZone: string = browserZone()): Date | undefined {
  const wall = Date.parse(`${clock}Z`);
  return Number.isNaN(wall) ? undefined : atWall(wall, wall, timeZone);
}

/** The day of an instant as the calendar of a zone has it, e.g. `2026-11-21`. */
export const dayOf = (at: number, timeZone: string = browserZone()): string =>
  new Date(wallTime(at, timeZone)).toISOString().slice(0, 10);

/** The day that many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** The midnight with which a day of the calendar begins in a zone; undefined for what is no day. */
export function dayBegins(day: string, timeZone: string = browserZone()): Date | undefined {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN;
  return Number.isNaN(midnight) ? undefined : atWall(midnight, midnight, timeZone);
}
