import { describe, expect, it } from 'vitest';
import { USUAL_AGES } from '../vehicleState';
import { longestSilent } from './longestSilent';
import { catalogueOf, fleetOf } from './testFleet';

const { offlineAfterMs: OFFLINE_AFTER_MS } = USUAL_AGES;
const NOW = 100 * OFFLINE_AFTER_MS;

function fleet() {
  const made = fleetOf(['heard', 'hour', 'day', 'never', 'half']);
  made.report(
    0,
    { id: 'heard', at: NOW - OFFLINE_AFTER_MS },
    { id: 'hour', at: NOW - 6 * OFFLINE_AFTER_MS },
    { id: 'day', at: NOW - 90 * OFFLINE_AFTER_MS, alarm: 'sos' },
    { id: 'half', at: NOW - 3 * OFFLINE_AFTER_MS },
  );
  return made.fleet;
}

describe('the vehicles that have been silent for the longest', () => {
  it('are those that are offline, the longest first, without those that nobody has heard of', () => {
    expect(longestSilent(fleet(), 5, NOW)).toEqual([
      { id: 'day', name: 'Truck day', recordedAt: NOW - 90 * OFFLINE_AFTER_MS },
      { id: 'hour', name: 'Truck hour', recordedAt: NOW - 6 * OFFLINE_AFTER_MS },
      { id: 'half', name: 'Truck half', recordedAt: NOW - 3 * OFFLINE_AFTER_MS },
    ]);
  });

  it('are no more than were asked for, whatever their order', () => {
    expect(longestSilent(fleet(), 2, NOW).map(({ id }) => id)).toEqual(['day', 'hour']);
    expect(longestSilent(fleet(), 0, NOW)).toEqual([]);
  });

  it('are none of those that are not in use', () => {
    const all = fleet();
    all.list(catalogueOf(['day'], { inactive: [2] }, 2));
    expect(longestSilent(all, 5, NOW).map(({ id }) => id)).toEqual(['hour', 'half']);
  });
});
