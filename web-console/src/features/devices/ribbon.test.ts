import { describe, expect, it } from 'vitest';
import { ribbonOf, type RibbonFix } from './ribbon';

const MINUTE = 60_000;
const START = Date.parse('2026-11-29T00:00:00Z');
const fix = (minute: number, motion: RibbonFix['motion'], mark?: RibbonFix['mark']): RibbonFix => ({
  recorded_at: new Date(START + minute * MINUTE).toISOString(),
  motion,
  mark,
});
/** Its stretches, in minutes of the day. */
const ribbon = (now: number, ...fixes: RibbonFix[]) =>
  ribbonOf(fixes, START + now * MINUTE, 10 * MINUTE).map(
    ({ motion, from, to }) => `${motion} ${(from - START) / MINUTE}-${(to - START) / MINUTE}`,
  );

describe('the ribbon of a day', () => {
  it('joins what is the same, and goes on until now', () => {
    expect(ribbon(9, fix(0, 'moving'), fix(2, 'moving'), fix(4, 'idle'), fix(6, 'moving'))).toEqual([
      'moving 0-4',
      'idle 4-6',
      'moving 6-9',
    ]);
  });

  it('says nothing of a time without fixes, but of a vehicle that was parked until the next one', () => {
    expect(ribbon(300, fix(0, 'moving'), fix(60, 'parked'), fix(240, 'moving'), fix(245, 'parked'))).toEqual([
      'parked 60-240',
      'moving 240-245',
    ]);
  });

  it('leaves out what a wrong clock told, and what nobody knows', () => {
    expect(ribbon(8, fix(0, 'moving'), fix(3, 'parked', 'clock'), fix(5, 'unspecified'))).toEqual(['moving 0-5']);
  });
});
