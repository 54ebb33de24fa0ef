import type { Typed } from './figures';

/** What a meter showed of two trackers that were typed; undefined for nothing, null when that is wrong or one alone. */
export function swapOf(
  [before, after]: readonly [Typed, Typed],
  read: (typed: Typed) => number | null,
): { before: number; after: number } | undefined | null {
  if (before === '' && after === '') return undefined;
  const [first, second] = [read(before), read(after)];
  return first === null || second === null ? null : { before: first, after: second };
}
