import { describe, expect, it } from 'vitest';
import type { ListParams } from '@/lib/listParams';
import { actsFor } from './auditActs';
import { auditScope } from './auditScope';
import { changedFields, valueText } from './change';

const params = (filters: ListParams['filters']): ListParams => ({
  page: 1,
  pageSize: 25,
  sort: '-at',
  q: '',
  filters,
  columns: [],
});

describe('the acts to ask for', () => {
  it('are those that were chosen, as they are, when the outcome is all the same', () => {
    expect(actsFor(['device:*', 'user:create'], undefined)).toEqual(['device:*', 'user:create']);
  });

  it('are those with that outcome', () => {
    expect(actsFor([], 'refused')).toEqual(['access:denied', 'audit:refused', 'session:login_failed', 'session:reuse']);
    expect(actsFor(['session:*'], 'done')).toEqual([
      'session:end',
      'session:login',
      'session:logout',
      'session:reauthenticate',
    ]);
  });

  it('are none when both exclude each other', () => {
    expect(actsFor(['device:*'], 'refused')).toEqual(['none:none']);
  });
});

describe('the call', () => {
  it('takes days as whole, by the clocks of the zone', () => {
    const { from, to } = auditScope(params({ from: ['2026-11-20'], to: ['2026-11-21'] }), 'Asia/Jakarta').filters;
    expect([from, to]).toEqual([['2026-11-19T17:00:00.000Z'], ['2026-11-21T17:00:00.000Z']]);
  });

  it('takes no notice of what is no day', () => {
    const { from, to } = auditScope(params({ from: ['yesterday'], to: ['2026-13-40'] }), 'Asia/Jakarta').filters;
    expect([from, to]).toEqual([[], []]);
  });
});

describe('what changed', () => {
  it('is told field by field, without what was and is nothing', () => {
    const before = { name: 'Truk 1', phone: null, status: 'active' };
    const after = { name: 'Truk 2', phone: null, email: 'a@b.test' };
    expect(changedFields(before, after)).toEqual([
      { name: 'name', before: 'Truk 1', after: 'Truk 2' },
      { name: 'email', before: undefined, after: 'a@b.test' },
      { name: 'status', before: 'active', after: undefined },
    ]);
  });

  it('names things by their names', () => {
    expect(
      valueText([
        { id: '1', name: 'Manajer' },
        { id: '2', name: 'Teknisi' },
      ]),
    ).toBe('Manajer, Teknisi');
    expect(valueText({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});
