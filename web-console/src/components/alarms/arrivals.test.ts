import { describe, expect, it } from 'vitest';
import type { Alarm } from '@/api/generated';
import { hear, type Heard } from './arrivals';

const raised = (id: string, minute: number) =>
  ({ id, first_at: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString() }) as Alarm;
const arrivedOf = (before: Heard | null, alarms: Alarm[], count = alarms.length) =>
  hear(before, alarms, count).arrived.map(({ id }) => id);

describe('alarms that arrive', () => {
  const [old, late, young] = [raised('old', 5), raised('late', 1), raised('young', 9)];
  const { heard } = hear(null, [old], 1);

  it('are none of those that stood when somebody came', () => {
    expect(arrivedOf(null, [old, late])).toEqual([]);
  });

  it('are those that are heard of now, several at once, also one that was raised long ago', () => {
    expect(arrivedOf(heard, [young, old, late])).toEqual(['young', 'late']);
  });

  it('arrive once', () => {
    const next = hear(heard, [young, old], 2).heard;
    expect(arrivedOf(next, [old])).toEqual([]);
    expect(arrivedOf(next, [young, old])).toEqual([]);
  });

  it('are not those for which the list had no room before', () => {
    const cut = hear(null, [old], 2).heard;
    expect(arrivedOf(cut, [late])).toEqual([]);
    expect(arrivedOf(cut, [young, late], 2)).toEqual(['young']);
  });
});
