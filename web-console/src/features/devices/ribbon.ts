import type { TrackPoint } from '@/api/generated';

/** What a vehicle is known to do. */
export const RIBBON_MOTIONS = ['moving', 'idle', 'parked'] as const;
/** One of them. */
export type RibbonMotion = (typeof RIBBON_MOTIONS)[number];

/** A stretch of a day during which a vehicle did the same, milliseconds since 1970. */
export interface RibbonSpan {
  motion: RibbonMotion;
  from: number;
  to: number;
}

/** What of a fix says what its vehicle did. */
export type RibbonFix = Pick<TrackPoint, 'recorded_at' | 'motion' | 'mark'>;

/**
 * What a vehicle did from fix to fix, until now. Nothing is known behind a fix that none follows for longer than `silentMs`;
 * a parked vehicle need not say for hours that it stands still.
 */
export function ribbonOf(fixes: readonly RibbonFix[], now: number, silentMs: number): RibbonSpan[] {
  const spans: RibbonSpan[] = [];
  // A wrong clock would put it anywhere.
  const told = fixes.filter(({ mark }) => mark !== 'clock');
  for (const [place, { recorded_at, motion }] of told.entries()) {
    const next = told[place + 1];
    const from = Date.parse(recorded_at);
    const until = next ? Date.parse(next.recorded_at) : now;
    const isKnown = until - from <= silentMs || (motion === 'parked' && next !== undefined);
    if (motion === 'unspecified' || !isKnown || until <= from) continue;
    const before = spans.at(-1);
    if (before?.motion === motion && before.to === from) before.to = until;
    else spans.push({ motion, from, to: until });
  }
  return spans;
}
