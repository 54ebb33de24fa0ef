import type { NewestFix } from './newestFix';

/** What is tried out of a new device. */
export const TESTS = ['ignition', 'fuel', 'odometer', 'movement'] as const;
/** One of these. */
export type TestName = (typeof TESTS)[number];
/** What somebody said of a test: whether what was read is right, or that it is left out. */
export type Answer = 'matches' | 'differs' | 'skipped';
/** What became of a test. */
export type Result = 'passed' | 'differs' | 'skipped' | 'open';

/** How old a fix may be when somebody begins to look, to be one of now. */
const FRESH_MS = 2 * 60_000;
/** So many fixes without a reading say that there is none. */
const ENOUGH_FIXES = 3;

/** What was seen of a device while somebody tried it out. Instants are those of the fixes, in milliseconds since 1970. */
export interface ObservedFixes {
  /** When somebody began to look. */
  since: number;
  /** The first and the newest fix that was looked at. */
  first?: number;
  last?: number;
  /** Fixes of now. */
  fixes: number;
  on?: number;
  off?: number;
  moving?: number;
  /** Whether any of them spoke of the ignition. */
  ignition: boolean;
  /** What was read last: not every fix says everything. */
  litres?: number;
  percent?: number;
  /** Metres. */
  odometer?: number;
}

/** Nothing yet. */
export const noFixes = (since: number): ObservedFixes => ({
  since,
  fixes: 0,
  ignition: false,
});

/**
 * What is seen with one more fix; the same when it says nothing new. A fix from before somebody looked proves nothing: the
 * ignition that it speaks of was switched by somebody else.
 */
export function withFix(seen: ObservedFixes, fix: NewestFix): ObservedFixes {
  const { recordedAt: at } = fix;
  const again = seen.last !== undefined && at <= seen.last;
  // What came while somebody looked is of now, whatever the tracker's clock says.
  const isOfNow = at >= seen.since - FRESH_MS || (seen.first !== undefined && at > seen.first);
  const now: ObservedFixes = { ...seen, first: seen.first ?? at, last: Math.max(at, seen.last ?? at) };
  if (isOfNow) {
    if (!again) now.fixes += 1;
    now.ignition ||= fix.ignition !== null;
    now.litres = fix.fuelLitres ?? seen.litres;
    now.percent = fix.fuelPercent ?? seen.percent;
    now.odometer = fix.odometer ?? seen.odometer;
    if (!again && fix.isMoving) now.moving ??= at;
    if (fix.ignition) now.on ??= at;
    if (fix.ignition === false && now.on !== undefined && at > now.on) now.off ??= at;
  }
  return same(seen, now) ? seen : now;
}

const same = (a: ObservedFixes, b: ObservedFixes) =>
  (Object.keys(b) as (keyof ObservedFixes)[]).every((name) => a[name] === b[name]);

/** What can be read of a device. */
type Reading = 'ignition' | 'fuel' | 'odometer';

/** Whether something was read. */
export const isRead = ({ ignition, litres, percent, odometer }: ObservedFixes, reading: Reading): boolean =>
  ({ ignition, fuel: litres !== undefined || percent !== undefined, odometer: odometer !== undefined })[reading];

/** Whether enough came without a reading that none can be expected. */
export const isMissing = (seen: ObservedFixes, reading: Reading): boolean =>
  seen.fixes >= ENOUGH_FIXES && !isRead(seen, reading);

/** What became of a test, by what was seen and what somebody said. */
export function resultOf(test: TestName, seen: ObservedFixes, answer: Answer | undefined): Result {
  const isSeen = { ignition: seen.off, movement: seen.moving, fuel: undefined, odometer: undefined }[test];
  if (isSeen !== undefined || answer === 'matches') return 'passed';
  return answer ?? 'open';
}
