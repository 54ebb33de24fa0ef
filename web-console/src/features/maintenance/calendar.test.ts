import { describe, expect, it } from 'vitest';
import { byDay } from '@/lib/byDay';
import { addMonths, monthIn, weeksOf } from './calendar';

describe('a month', () => {
  it('has the weeks that it touches, from Monday to Sunday', () => {
    const november = weeksOf('2026-11');
    expect(november.map((week) => week[0])).toEqual([
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ]);
    expect(november.every((week) => week.length === 7)).toBe(true);
    // February 2027 begins on a Monday and ends on a Sunday.
    expect(weeksOf('2027-02')).toHaveLength(4);
  });

  it('is followed by the next, over the end of a year', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });

  it('is what the address says, if that is one', () => {
    expect(['2026-11', '2026-13', 'x', null].map((text) => monthIn(text, '2026-01'))).toEqual([
      '2026-11',
      '2026-01',
      '2026-01',
      '2026-01',
    ]);
  });

  it('has things on their days', () => {
    const things = byDay(
      [
        { day: 'a', n: 1 },
        { day: 'b', n: 2 },
        { day: 'a', n: 3 },
      ],
      ({ day }) => day,
    );
    expect(things.get('a')?.map(({ n }) => n)).toEqual([1, 3]);
  });
});
