import type { FixMark } from '@/api/generated';

/** Why a fix cannot be believed, in the order of their numbers in the contract, which begin with 1. */
export const FIX_MARKS = ['jump', 'few_satellites', 'stuck', 'clock'] as const satisfies readonly FixMark[];
/** One of them. */
export type GivenMark = (typeof FIX_MARKS)[number];

/** The mark of a fix; none of one that is believed, or whose mark a newer server has made. */
export const givenMark = (mark: FixMark | undefined): GivenMark | undefined => FIX_MARKS.find((each) => each === mark);
