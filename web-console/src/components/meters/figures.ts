import type { DeviceMeters, MeterSource } from '@/api/generated';

/** Metres of a kilometre, and seconds of an hour: meters are stored in the smaller, and read in the larger. */
const METRES = 1_000;
const SECONDS = 3_600;

/** What somebody typed: a number not below 0, or a text that is none. */
export type Typed = number | string;

/** Meters begin at 0. */
export const isNegative = (typed: Typed): boolean => typeof typed === 'number' && typed < 0;

const numberOf = (typed: Typed): number | null => (typeof typed === 'number' && !isNegative(typed) ? typed : null);

/** What was typed as kilometres, in metres. */
export function metresOf(typed: Typed): number | null {
  const value = numberOf(typed);
  return value === null ? null : Math.round(value * METRES);
}

/** What was typed as hours, in seconds. */
export function secondsOf(typed: Typed): number | null {
  const value = numberOf(typed);
  return value === null ? null : Math.round(value * SECONDS);
}

/** Hours of a meter of engine hours. */
export const hoursOf = (seconds: number): number => seconds / SECONDS;

/** From what a meter is read: a device that is to say it itself, and says nothing, is computed. */
export function readFrom(chosen: MeterSource, saysItself: boolean): 'device' | 'computed' | 'fallback' {
  if (chosen !== 'device') return 'computed';
  return saysItself ? 'device' : 'fallback';
}

/** The longest bar of the days. */
export const longest = ({ days }: DeviceMeters): number => Math.max(0, ...days.map(({ distance }) => distance ?? 0));

/** A moment of a day whose midnight is known, from what a clock shows there: `14:30`, or `14.30` as it is written here. */
export function momentOf(midnight: Date | undefined, clock: string): Date | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(clock.trim()) ?? [];
  if (!midnight || hours === undefined || minutes === undefined) return undefined;
  return new Date(midnight.getTime() + (Number(hours) * 60 + Number(minutes)) * 60_000);
}
