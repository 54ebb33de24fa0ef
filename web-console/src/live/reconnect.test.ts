import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_ATTEMPTS, closeReason, reconnectDelay } from './reconnect';

afterEach(() => vi.restoreAllMocks());

describe('reconnectDelay', () => {
  it('spreads those who are dropped together', () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(1);
    expect([1, 1].map((attempt) => reconnectDelay('other', attempt))).toEqual([750, 1_250]);
  });

  it('doubles from 1 s up to 30 s after a drop', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const delays = [1, 2, 3, 4, 5, 6, 7, 1000].map((attempt) => reconnectDelay('other', attempt));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it.each(['network', 'server_shutdown', 'server_error'] as const)('waits 5 s every time after %s', (reason) => {
    expect([1, 2, 10, 500].map((attempt) => reconnectDelay(reason, attempt))).toEqual([5_000, 5_000, 5_000, 5_000]);
  });

  it.each(['manual', 'user_switch'] as const)('does not reconnect after %s', (reason) => {
    expect(reconnectDelay(reason, 1)).toBeNull();
  });

  it('gives up after a million attempts', () => {
    expect(reconnectDelay('network', MAX_ATTEMPTS)).toBe(5_000);
    expect(reconnectDelay('network', MAX_ATTEMPTS + 1)).toBeNull();
    expect(reconnectDelay('other', MAX_ATTEMPTS + 1)).toBeNull();
  });
});

describe('closeReason', () => {
  it.each([
    [1006, 'network'],
    [1015, 'network'],
    [1001, 'server_shutdown'],
    [1012, 'server_shutdown'],
    [1011, 'server_error'],
    [1002, 'protocol'],
    [1009, 'protocol'],
    [1008, 'policy'],
    [1000, 'other'],
    [4000, 'other'],
  ] as const)('reads %i as %s', (code, reason) => {
    expect(closeReason(code)).toBe(reason);
  });
});
