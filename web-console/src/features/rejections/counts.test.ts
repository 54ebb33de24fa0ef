import { describe, expect, it } from 'vitest';
import { byReasonAndDay } from './counts';

describe('byReasonAndDay', () => {
  it('puts newest days and most frequent reasons first', () => {
    const table = byReasonAndDay([
      { day: '2026-11-20', reason: 'future_fix', count: 2 },
      { day: '2026-11-21', reason: 'unknown_device', count: 5 },
      { day: '2026-11-20', reason: 'unknown_device', count: 1 },
    ]);
    expect(table.days).toEqual(['2026-11-21', '2026-11-20']);
    expect(table.rows).toEqual([
      { reason: 'unknown_device', perDay: [5, 1], total: 6 },
      { reason: 'future_fix', perDay: [0, 2], total: 2 },
    ]);
  });

  it('shows a week and counts everything', () => {
    const counts = Array.from({ length: 9 }, (_, i) => ({ day: `2026-11-0${i + 1}`, reason: 'malformed', count: 1 }));
    const { days, rows } = byReasonAndDay(counts);
    expect(days).toHaveLength(7);
    expect(rows[0]?.total).toBe(9);
  });
});
