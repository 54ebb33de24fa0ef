import { formatsFor, LOCALES } from './format';
import { languageOf } from './languages';
import { dayOf } from './timeZone';

type Moments = (value: string | number, now: number) => string;

const cache = new Map<string, Moments>();

/** Instants in a list whose header names the zone: `17.00.00` today, else `20 Nov, 17.00`, with the year of another one. */
export function momentsFor(language: string, timeZone?: string): Moments {
  const key = `${language} ${timeZone ?? ''}`;
  let moments = cache.get(key);
  if (!moments) {
    moments = createMoments(language, timeZone);
    cache.set(key, moments);
  }
  return moments;
}

function createMoments(language: string, timeZone: string | undefined): Moments {
  const locales = LOCALES[languageOf(language)];
  const { time } = formatsFor(language, timeZone);
  const minutes = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZone } as const;
  const thisYear = new Intl.DateTimeFormat(locales, minutes);
  const otherYear = new Intl.DateTimeFormat(locales, { ...minutes, year: 'numeric' });
  return (value, now) => {
    const at = new Date(value);
    const [day, today] = [dayOf(at.getTime(), timeZone), dayOf(now, timeZone)];
    if (day === today) return time(value);
    return (day.slice(0, 4) === today.slice(0, 4) ? thisYear : otherYear).format(at);
  };
}
