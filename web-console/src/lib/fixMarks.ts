import type { FixMark } from '@/api/generated';

/**
 * Why a fix cannot be believed, in the order of their numbers in the contract, which begin with 1. One whose clock was
 * corrected can be, and no track doubts it.
 */
export const FIX_MARKS = [
  'jump',
  'few_satellites',
  'stuck',
  'clock',
  'clock_corrected',
  'cell_tower',
] as const satisfies readonly FixMark[];
/** Those of fixes that count for nothing. */
export const UNCOUNTED_MARKS = FIX_MARKS.filter((mark) => mark !== 'clock_corrected');
/** One of them. */
export type GivenMark = (typeof FIX_MARKS)[number];

/** The mark of a fix; none of one that is believed, or whose mark a newer server has made. */
export const givenMark = (mark: FixMark | undefined): GivenMark | undefined => FIX_MARKS.find((each) => each === mark);

/** Whether the vehicle was not where a fix says, but where it had been: no line leads there. */
export const isElsewhere = ({ mark, valid = true }: { mark?: FixMark; valid?: boolean }): boolean =>
  !valid || mark === 'jump' || mark === 'cell_tower';
