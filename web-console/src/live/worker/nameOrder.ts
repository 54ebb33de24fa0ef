import type { Fleet } from './fleet';

/** Says which of two names comes first: below zero the one, above it the other. */
type Compare = (one: string, other: string) => number;

/**
 * The rows of all devices in the order of their names, of equal ones the lower row first. Names are compared as people do, which
 * is by far the dearest part of a list of a large fleet. So only those are compared that came or were renamed since: they
 * become a run of their own, which is merged with the one before it when that is not much longer, or when somebody asks.
 */
export class NameOrder {
  private locales: string | null = null;
  private byName: (a: number, b: number) => number = (a, b) => a - b;
  /** Rows in order; each row stands in one run. Where nobody left one, it is at least twice as long as the next. */
  private runs: Uint32Array[] = [];
  /** What the names of the fleet had come to when they were looked at. */
  private namesVersion = 0;

  private readonly fleet: Fleet;
  private readonly collate: (locales: readonly string[]) => Compare;

  constructor(fleet: Fleet, collate = collatorOf) {
    this.fleet = fleet;
    this.collate = collate;
  }

  /** All rows of devices, also of those not in use, in the order of letters of these locales. To be read only. */
  rows(locales: readonly string[]): Uint32Array {
    this.catchUp(locales);
    while (this.runs.length > 1) this.mergeLast();
    return this.runs[0] ?? NONE;
  }

  /** Puts those in order that have changed. Who lets it do so often waits less for `rows`. */
  catchUp(locales: readonly string[]): void {
    this.setLocales(locales);
    const { fleet, byName, namesVersion: seen } = this;
    const { size, namedIn, namesVersion } = fleet;
    if (namesVersion === seen) return;
    this.namesVersion = namesVersion;
    // Where they stand goes by names that they do not have any more. A fleet that was cleared has fewer rows.
    const stays = (row: number) => row < size && (namedIn[row] ?? 0) <= seen;
    this.runs = this.runs.map((run) => run.filter(stays)).filter(({ length }) => length > 0);
    const named: number[] = [];
    for (let row = 0; row < size; row++) if ((namedIn[row] ?? 0) > seen && fleet.isLive(row)) named.push(row);
    if (named.length > 0) this.runs.push(Uint32Array.from(named.sort(byName)));
    // So there are few runs, and no row is merged more often than it would be in one sort of all.
    while (2 * (this.runs.at(-1)?.length ?? 0) > (this.runs.at(-2)?.length ?? Infinity)) this.mergeLast();
  }

  /** Begins anew when the order of letters is another one. */
  private setLocales(locales: readonly string[]): void {
    const key = locales.join();
    if (key === this.locales) return;
    this.locales = key;
    const { names } = this.fleet;
    const compare = this.collate(locales);
    this.byName = (a, b) => compare(names[a] ?? '', names[b] ?? '') || a - b;
    this.runs = [];
    this.namesVersion = 0;
  }

  private mergeLast(): void {
    const { runs, byName } = this;
    const [one, other] = runs.splice(-2);
    if (one && other) runs.push(one.length < other.length ? merged(other, one, byName) : merged(one, other, byName));
  }
}

/** As people order names: numbers in them count, capitals and accents do not. */
export function collatorOf(locales: readonly string[]): Compare {
  return new Intl.Collator([...locales], { numeric: true, sensitivity: 'base' }).compare;
}

/** Two runs as one. Each row of the short one is looked for in the long one, from the place of the row before it on. */
function merged(long: Uint32Array, short: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  const both = new Uint32Array(long.length + short.length);
  let at = 0;
  let from = 0;
  for (const row of short) {
    const until = placeIn(long, row, from, compare);
    while (from < until) both[at++] = long[from++] ?? 0;
    both[at++] = row;
  }
  while (from < long.length) both[at++] = long[from++] ?? 0;
  return both;
}

/** The place of a row in a run, which is not before `from`: looked for in steps that double, as it is often near. */
function placeIn(run: Uint32Array, row: number, from: number, compare: (a: number, b: number) => number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < run.length && compare(run[high] ?? 0, row) < 0; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, run.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(run[middle] ?? 0, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NONE = new Uint32Array(0);
