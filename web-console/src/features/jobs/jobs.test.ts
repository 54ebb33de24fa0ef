import { describe, expect, it } from 'vitest';
import { personOf } from '@/session/claims';
import { toneOf } from './JobBadge';
import { servicesOf } from './jobServices';

const who = (permissions: string[], is_platform_owner = false) => personOf({ permissions, is_platform_owner }, null);

describe('the services whose jobs somebody can have begun', () => {
  it('are those with something that they may change', () => {
    expect(servicesOf(who(['device:list', 'driver:update', 'user:list']))).toEqual(['fleet']);
    expect(servicesOf(who(['user:update', 'device:list']))).toEqual(['identity']);
    expect(servicesOf(who(['device:delete', 'user:create']))).toEqual(['fleet', 'identity']);
    expect(servicesOf(who([], true))).toEqual(['fleet', 'identity']);
  });

  it('are none where somebody only looks', () => {
    expect(servicesOf(who(['device:list', 'user:list']))).toEqual([]);
    expect(servicesOf(null)).toEqual([]);
  });
});

describe('what a job means for its reader', () => {
  it('is good only when nothing failed', () => {
    expect(toneOf({ status: 'completed', failed: 0 })).toBe('positive');
    expect(toneOf({ status: 'completed', failed: 1 })).toBe('warning');
    expect(toneOf({ status: 'failed', failed: 0 })).toBe('negative');
    expect(toneOf({ status: 'cancelled', failed: 0 })).toBe('neutral');
  });
});
