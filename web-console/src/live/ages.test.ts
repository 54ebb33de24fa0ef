import { describe, expect, it } from 'vitest';
import { freshness } from './freshness';
import { USUAL_AGES, vehicleState } from './vehicleState';

const NOW = Date.UTC(2026, 10, 25);
const receivedAgo = (secondsAgo: number) => ({
  recordedAt: NOW - 1000 * secondsAgo,
  motion: 'moving' as const,
  speed: 40,
  ignition: true,
});

describe('the age of a position', () => {
  it('is usual where nothing else is said', () => {
    expect(USUAL_AGES).toEqual({ staleAfterMs: 300_000, offlineAfterMs: 600_000 });
    const ages = [300, 301, 600, 601];
    expect(ages.map((ago) => freshness(receivedAgo(ago), NOW))).toEqual(['fresh', 'stale', 'stale', 'offline']);
    expect([600, 601].map((ago) => vehicleState(receivedAgo(ago), NOW))).toEqual(['moving', 'offline']);
  });

  it('is that of the vehicle or of its tenant', () => {
    const ages = { staleAfterMs: 60_000, offlineAfterMs: 90_000 };
    const own = (secondsAgo: number) => ({ ...receivedAgo(secondsAgo), ages });
    expect([60, 61, 90, 91].map((ago) => freshness(own(ago), NOW))).toEqual(['fresh', 'stale', 'stale', 'offline']);
    expect([90, 91].map((ago) => vehicleState(own(ago), NOW))).toEqual(['moving', 'offline']);
    const longer = { ...receivedAgo(3_000), ages: { staleAfterMs: 3_600_000, offlineAfterMs: 7_200_000 } };
    expect([freshness(longer, NOW), vehicleState(longer, NOW)]).toEqual(['fresh', 'moving']);
  });
});
