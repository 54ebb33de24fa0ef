import { describe, expect, it } from 'vitest';
import type { LivePosition } from './position';
import { activityToday } from './today';

const MIDNIGHT = Date.parse('2026-11-20T17:00:00Z');
const MINUTE = 60_000;

/** The newest fix of a vehicle, five minutes before midnight. */
const fix = (change: Partial<LivePosition> = {}): LivePosition => ({
  deviceId: 'v1',
  recordedAt: MIDNIGHT - 5 * MINUTE,
  lat: -6.2,
  lng: 106.8,
  speed: 0,
  course: null,
  motion: 'parked',
  motionSince: null,
  ignition: false,
  alarm: null,
  battery: null,
  charging: null,
  satellites: null,
  odometer: null,
  fuelPercent: null,
  today: { until: MIDNIGHT, distance: 42_195, engine: 5_400, moving: 3_600, idle: 1_800, parked: 7_200 },
  ...change,
});

describe('what a vehicle has come to today', () => {
  it('is what its newest fix says, with the time that it has been parked since', () => {
    const moving = fix({ motion: 'moving' });
    expect(activityToday(moving, MIDNIGHT - MINUTE)).toEqual(moving.today);
    expect(activityToday(fix(), MIDNIGHT - MINUTE)).toEqual({ ...moving.today, parked: 7_440 });
  });

  it('is nothing after midnight, but for being parked, until it is heard again', () => {
    const nothing = { until: MIDNIGHT, distance: 0, engine: 0, moving: 0, idle: 0, parked: 0 };
    expect(activityToday(fix({ motion: 'moving' }), MIDNIGHT)).toEqual(nothing);
    expect(activityToday(fix(), MIDNIGHT + 2 * MINUTE)).toEqual({ ...nothing, parked: 120 });
    // Offline: nobody knows whether it is still parked.
    expect(activityToday(fix(), MIDNIGHT + 20 * MINUTE)).toEqual(nothing);
  });

  it('is not known where nobody has told it', () => {
    expect(activityToday(fix({ today: undefined }), MIDNIGHT)).toBeNull();
  });
});
