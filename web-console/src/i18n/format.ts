import { minorDigits, toMajor } from '@/lib/money';
import { daysOf, type Days } from './days';
import { languageOf, type Language } from './languages';
import { zoneName } from './timeZone';

/**
 * Locales of formatting. Browsers have no Javanese and would silently fall back to English, so Indonesian stands in.
 * English is that of Britain: its clocks have 24 hours, as everywhere in Indonesia, and its days come before months.
 */
export const LOCALES: Record<Language, string[]> = {
  id: ['id'],
  en: ['en-GB'],
  zh: ['zh'],
  jv: ['jv', 'id'],
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Units {
  hour: string;
  minute: string;
  second: string;
  speed: string;
}

const UNITS: Record<Language, Units> = {
  id: { hour: 'jam', minute: 'mnt', second: 'dtk', speed: 'km/jam' },
  en: { hour: 'h', minute: 'min', second: 's', speed: 'km/h' },
  zh: { hour: '小时', minute: '分', second: '秒', speed: 'km/h' },
  jv: { hour: 'jam', minute: 'mnt', second: 'dtk', speed: 'km/jam' },
};

/** Everything that is shown as a number or a time goes through one of these. */
export interface Formats {
  number: (value: number, maximumFractionDigits?: number) => string;
  /** What stands between thousands, and before decimals. */
  separators: { thousands: string; decimals: string };
  /** Rupiah, e.g. `Rp 1.665.000`. */
  idr: (value: number) => string;
  /** An amount in the currency's minor unit, e.g. 166500000 sen as `Rp 1.665.000`. */
  money: (minor: number, currency: string) => string;
  /** Day, time and zone, e.g. `21 Nov 2026, 17.00.00 WIB`. */
  dateTime: (value: string | number) => string;
  date: (value: string | number) => string;
  /** The time of day alone. */
  time: (value: string | number) => string;
  /** The same to the minute. */
  hour: (value: string | number) => string;
  /** How long ago, e.g. `3 mnt lalu`. */
  age: (value: string | number, now: number) => string;
  /** A length of time, e.g. `2 jam 14 mnt`. */
  duration: (seconds: number) => string;
  /** A length of way, e.g. `850 m` or `12,4 km`. */
  distance: (metres: number) => string;
  speed: (kilometresPerHour: number) => string;
  bytes: (value: number) => string;
  /** Days that are typed. */
  days: Days;
  /** -1, 0 or 1, as names are sorted in this language. */
  compare: (a: string, b: string) => number;
}

const cache = new Map<string, Formats>();

/** The formats of a language and a time zone; the browser's zone when none is named. */
export function formatsFor(language: string, timeZone?: string): Formats {
  const key = `${language} ${timeZone ?? ''}`;
  let formats = cache.get(key);
  if (!formats) {
    formats = createFormats(languageOf(language), timeZone);
    cache.set(key, formats);
  }
  return formats;
}

function createFormats(language: Language, timeZone: string | undefined): Formats {
  const locales = LOCALES[language];
  const number = numberFormat(locales);
  // No browser collates Javanese either.
  const collator = new Intl.Collator(language === 'jv' ? 'id' : locales, { numeric: true, sensitivity: 'base' });
  const rupiah = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency: 'IDR',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  });
  return {
    number,
    separators: separatorsOf(locales),
    idr: (value) => rupiah.format(value),
    money: moneyFormat(locales),
    ...dateFormats(locales, timeZone),
    age: ageFormat(locales),
    ...measures(number, UNITS[language]),
    // Where a machine does know Javanese, people still type days as everywhere in Indonesia.
    days: daysOf(language === 'jv' ? LOCALES.id : locales),
    compare: (a, b) => collator.compare(a, b),
  };
}

function numberFormat(locales: string[]): Formats['number'] {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, maximumFractionDigits = 0) => {
    let format = formats.get(maximumFractionDigits);
    if (!format) {
      format = new Intl.NumberFormat(locales, { maximumFractionDigits });
      formats.set(maximumFractionDigits, format);
    }
    return format.format(value);
  };
}

function separatorsOf(locales: string[]): Formats['separators'] {
  const parts = new Intl.NumberFormat(locales).formatToParts(1_234_567.8);
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { thousands: of('group'), decimals: of('decimal') };
}

/** What is whole has no decimals. */
function moneyFormat(locales: string[]): Formats['money'] {
  return (minor, currency) => {
    const amount = toMajor(minor, currency);
    const digits = Number.isInteger(amount) ? 0 : minorDigits(currency);
    return new Intl.NumberFormat(locales, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(amount);
  };
}

function dateFormats(
  locales: string[],
  timeZone: string | undefined,
): Pick<Formats, 'dateTime' | 'date' | 'time' | 'hour'> {
  const dateTimes = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const dates = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone });
  // A day is the same everywhere.
  const days = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone: 'UTC' });
  const isDay = (value: string | number) => /^\d{4}-\d\d-\d\d$/.test(String(value));
  const times = new Intl.DateTimeFormat(locales, { timeStyle: 'medium', timeZone });
  const hours = new Intl.DateTimeFormat(locales, { timeStyle: 'short', timeZone });
  return {
    dateTime: (value) => `${dateTimes.format(new Date(value))} ${zoneName(new Date(value), timeZone)}`,
    date: (value) => (isDay(value) ? days : dates).format(new Date(value)),
    time: (value) => times.format(new Date(value)),
    hour: (value) => hours.format(new Date(value)),
  };
}

function ageFormat(locales: string[]): Formats['age'] {
  const relative = new Intl.RelativeTimeFormat(locales, { numeric: 'auto', style: 'short' });
  return (value, now) => {
    const passed = elapsed(value, now);
    const sign = passed < 0 ? 1 : -1;
    const span = Math.abs(passed);
    if (span < MINUTE) return relative.format(sign * Math.floor(span / SECOND), 'second');
    if (span < HOUR) return relative.format(sign * Math.floor(span / MINUTE), 'minute');
    if (span < DAY) return relative.format(sign * Math.floor(span / HOUR), 'hour');
    return relative.format(sign * Math.floor(span / DAY), 'day');
  };
}

/** Clocks differ a little: what is less than a minute ahead is now. */
function elapsed(value: string | number, now: number): number {
  const passed = now - new Date(value).getTime();
  return passed < 0 && passed > -MINUTE ? 0 : passed;
}

function measures(number: Formats['number'], units: Units): Pick<Formats, 'duration' | 'distance' | 'speed' | 'bytes'> {
  return {
    duration: (seconds) => {
      const whole = Math.max(0, Math.floor(seconds));
      const hours = Math.floor(whole / 3600);
      const minutes = Math.floor((whole % 3600) / 60);
      if (hours > 0) return `${number(hours)} ${units.hour} ${number(minutes)} ${units.minute}`;
      if (minutes > 0) return `${number(minutes)} ${units.minute}`;
      return `${number(whole)} ${units.second}`;
    },
    distance: (metres) => {
      if (metres < 1_000) return `${number(metres)} m`;
      return `${number(metres / 1_000, metres < 100_000 ? 1 : 0)} km`;
    },
    speed: (kilometresPerHour) => `${number(kilometresPerHour)} ${units.speed}`,
    bytes: (value) => {
      if (value < 1024) return `${number(value)} B`;
      if (value < 1024 * 1024) return `${number(value / 1024, 1)} kB`;
      return `${number(value / 1024 / 1024, 1)} MB`;
    },
  };
}
