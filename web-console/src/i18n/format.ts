import { languageOf, type Language } from './languages';

/**
 * Locales of formatting. Browsers have no Javanese and would silently fall back to English, so Indonesian stands in.
 */
export const LOCALES: Record<Language, string[]> = {
  id: ['id'],
  en: ['en'],
  zh: ['zh'],
  jv: ['jv', 'id'],
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const HOUR_MINUTE: Record<Language, [hours: string, minutes: string, seconds: string]> = {
  id: ['j', 'm', 'd'],
  en: ['h', 'm', 's'],
  zh: ['小时', '分', '秒'],
  jv: ['j', 'm', 'd'],
};

/** Everything that is shown as a number or a time goes through one of these. */
export interface Formats {
  number: (value: number, maximumFractionDigits?: number) => string;
  dateTime: (value: string | number) => string;
  date: (value: string | number) => string;
  /** How long ago, e.g. `3 menit lalu`. */
  age: (value: string | number, now: number) => string;
  /** A length of time, e.g. `2 j 14 m`. */
  duration: (seconds: number) => string;
  bytes: (value: number) => string;
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

/** Clocks differ a little: what is less than a minute ahead is now. */
function sinceThen(value: string | number, now: number): number {
  const passed = now - new Date(value).getTime();
  return passed < 0 && passed > -MINUTE ? 0 : passed;
}

function createFormats(language: Language, timeZone: string | undefined): Formats {
  const locales = LOCALES[language];
  const numbers = new Map<number, Intl.NumberFormat>();
  const dateTimes = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const dates = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone });
  const relative = new Intl.RelativeTimeFormat(locales, { numeric: 'auto', style: 'short' });
  // No browser collates Javanese either.
  const collator = new Intl.Collator(language === 'jv' ? 'id' : locales, { numeric: true, sensitivity: 'base' });
  const [hoursUnit, minutesUnit, secondsUnit] = HOUR_MINUTE[language];

  const number = (value: number, maximumFractionDigits = 0) => {
    let format = numbers.get(maximumFractionDigits);
    if (!format) {
      format = new Intl.NumberFormat(locales, { maximumFractionDigits });
      numbers.set(maximumFractionDigits, format);
    }
    return format.format(value);
  };

  return {
    number,
    dateTime: (value) => dateTimes.format(new Date(value)),
    date: (value) => dates.format(new Date(value)),
    age: (value, now) => {
      const passed = sinceThen(value, now);
      const sign = passed < 0 ? 1 : -1;
      const span = Math.abs(passed);
      if (span < MINUTE) return relative.format(sign * Math.floor(span / SECOND), 'second');
      if (span < HOUR) return relative.format(sign * Math.floor(span / MINUTE), 'minute');
      if (span < DAY) return relative.format(sign * Math.floor(span / HOUR), 'hour');
      return relative.format(sign * Math.floor(span / DAY), 'day');
    },
    duration: (seconds) => {
      const whole = Math.max(0, Math.floor(seconds));
      const hours = Math.floor(whole / 3600);
      const minutes = Math.floor((whole % 3600) / 60);
      if (hours > 0) return `${number(hours)} ${hoursUnit} ${number(minutes)} ${minutesUnit}`;
      if (minutes > 0) return `${number(minutes)} ${minutesUnit}`;
      return `${number(whole)} ${secondsUnit}`;
    },
    bytes: (value) => {
      if (value < 1024) return `${number(value)} B`;
      if (value < 1024 * 1024) return `${number(value / 1024, 1)} kB`;
      return `${number(value / 1024 / 1024, 1)} MB`;
    },
    compare: (a, b) => collator.compare(a, b),
  };
}
