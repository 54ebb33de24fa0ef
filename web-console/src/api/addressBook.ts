import type { Language } from '@/i18n/languages';
import type { Place } from '@/lib/greatCircle';
import { direct, type DirectResult, type Dispatch } from './direct';

/** A place in degrees. */
interface Point {
  lat: number;
  lng: number;
}

/** What the server says of places, in the order asked. */
export interface AddressList {
  items: (Point & { address?: string; pending: boolean })[];
  /** Whether there is anybody to ask for addresses at all. */
  configured: boolean;
}

/** What is known of a place: its address; null while or where there is none; undefined until the server has said something. */
export type KnownAddress = string | null | undefined;

/** Asks the server for places. */
type LookUp = (points: Point[], language: Language) => Promise<DirectResult<AddressList>>;

/** Parts of a degree that are told apart, some 11 m, as by the server. */
const PARTS = 10_000;
/** Everything that is wanted within this time is asked for at once. */
const BATCH_MS = 50;
/** The server takes no more at a time. */
const POINTS_MAX = 100;
/** When to ask again for what was not known yet, and how often. */
const RETRY_MS = 3_000;
const RETRIES = 5;
/** Addresses that are remembered: a map on a wall is open for weeks. */
const CACHE_MAX = 10_000;

/** What becomes of a place: it is asked for, known, or was asked for in vain. */
interface Entry {
  known: KnownAddress;
  stage: 'asked' | 'known' | 'given_up';
  retries: number;
}

/** By what a place is known in a language. */
export const addressKey = ([lat, lng]: Place, language: Language): string =>
  `${language} ${Math.round(lat * PARTS)} ${Math.round(lng * PARTS)}`;

function readKey(key: string): { language: Language; point: Point } {
  const [language, lat, lng] = key.split(' ');
  return { language: language as Language, point: { lat: Number(lat) / PARTS, lng: Number(lng) / PARTS } };
}

/** The addresses that were asked for on this page: many at once, and each once. */
export class AddressBook {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private readonly gathered = new Set<string>();
  private isConfigured = true;
  private hasEnded = false;
  private readonly lookUp: LookUp;
  constructor(lookUp: LookUp) {
    this.lookUp = lookUp;
  }

  /** Calls back when something was heard; returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** What is known of a place. */
  known(key: string): KnownAddress {
    return this.isConfigured ? this.entries.get(key)?.known : null;
  }

  /** Somebody looks at a place: it is asked for unless it is known or on its way. */
  want(key: string): void {
    const entry = this.entries.get(key);
    if (!this.isConfigured || (entry && entry.stage !== 'given_up')) return;
    this.put(key, { known: entry?.known, stage: 'asked', retries: 0 });
    this.gather([key]);
  }

  /** Nobody looks any more; what is still heard is passed over. */
  end(): void {
    this.hasEnded = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private put(key: string, entry: Entry): void {
    this.entries.set(key, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > CACHE_MAX && oldest !== undefined) this.entries.delete(oldest);
  }

  private gather(keys: string[]): void {
    if (this.gathered.size === 0) this.later(BATCH_MS, () => this.send());
    for (const key of keys) this.gathered.add(key);
  }

  private later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds);
    this.timers.add(timer);
  }

  private send(): void {
    const byLanguage = new Map<Language, string[]>();
    for (const key of this.gathered) {
      const { language } = readKey(key);
      byLanguage.set(language, [...(byLanguage.get(language) ?? []), key]);
    }
    this.gathered.clear();
    for (const [language, keys] of byLanguage) {
      for (let first = 0; first < keys.length; first += POINTS_MAX)
        void this.call(language, keys.slice(first, first + POINTS_MAX));
    }
  }

  private async call(language: Language, keys: string[]): Promise<void> {
    const points = keys.map((key) => readKey(key).point);
    const { data, error } = await this.lookUp(points, language);
    if (this.hasEnded) return;
    if (data) this.isConfigured = data.configured;
    const status = error?.status ?? 0;
    const isRefused = status >= 400 && status < 500 && status !== 429;
    const again = keys.filter((key, index) => this.heard(key, data?.items[index], !isRefused));
    if (this.isConfigured && again.length > 0) this.later(RETRY_MS, () => this.gather(again));
    for (const listener of this.listeners) listener();
  }

  /** Notes what was heard of a place; whether to ask for it again. */
  private heard(key: string, found: AddressList['items'][number] | undefined, mayRetry: boolean): boolean {
    if (found && !found.pending) {
      this.put(key, { known: found.address ?? null, stage: 'known', retries: 0 });
      return false;
    }
    const entry = this.entries.get(key);
    const retries = (entry?.retries ?? 0) + 1;
    const goesOn = mayRetry && retries <= RETRIES;
    this.put(key, { known: entry?.known ?? null, stage: goesOn ? 'asked' : 'given_up', retries });
    return goesOn;
  }
}

const NO_SIGNAL = new AbortController().signal;
const books = new WeakMap<Dispatch, { person: string | null; book: AddressBook }>();

/** The addresses of who is signed in. Where they have looked is nobody else's business: the next one begins anew. */
export function addressBookOf(dispatch: Dispatch, person: string | null): AddressBook {
  const there = books.get(dispatch);
  if (there?.person === person) return there.book;
  there?.book.end();
  const call = (points: Point[], language: Language) =>
    direct<AddressList>({ url: '/api/v1/addresses', method: 'POST', body: { points, language } }, NO_SIGNAL);
  const book = new AddressBook((points, language) => dispatch(call(points, language)));
  books.set(dispatch, { person, book });
  return book;
}
