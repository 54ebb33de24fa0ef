import type { GivenMark } from '@/lib/fixMarks';
import type { Track } from './track/track';

/** Runs of fixes that are shown: a receiver that fails may have thousands of them. */
export const DOUBTS_MAX = 200;

/** Fixes that follow each other and cannot be believed for one reason. */
export interface Doubt {
  mark: GivenMark;
  /** Of the first one, milliseconds since 1970. */
  at: number;
  /** Where that one was reported, degrees. */
  lat: number;
  lng: number;
  /** How many they are. */
  count: number;
}

/** Those of a track in the order of time. */
export function doubtsOf({ time, doubted }: Track): Doubt[] {
  const doubts: Doubt[] = [];
  let last = -2;
  for (const { index, mark, lat, lng } of doubted) {
    const before = doubts.at(-1);
    if (before?.mark === mark && index === last + 1) before.count += 1;
    else doubts.push({ mark, at: time[index] ?? 0, lat, lng, count: 1 });
    last = index;
  }
  return doubts;
}
