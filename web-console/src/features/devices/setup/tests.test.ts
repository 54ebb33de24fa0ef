import { describe, expect, it } from 'vitest';
import type { NewestFix } from './newestFix';
import { isMissing, isRead, noFixes, resultOf, withFix } from './tests';

const NOW = Date.parse('2026-11-20T03:00:00Z');
const MINUTE = 60_000;

const fix = (after: number, more: Partial<NewestFix> = {}): NewestFix => ({
  recordedAt: NOW + after,
  lat: -6.2,
  lng: 106.8,
  valid: true,
  speed: 0,
  isMoving: false,
  satellites: 9,
  ignition: null,
  fuelLitres: null,
  fuelPercent: null,
  odometer: null,
  ...more,
});
const seen = (...fixes: NewestFix[]) => fixes.reduce(withFix, noFixes(NOW));

describe('what is seen of a device', () => {
  it('is the ignition switched on and then off', () => {
    const off = seen(fix(1000, { ignition: false }));
    expect([off.on, off.off, off.ignition]).toEqual([undefined, undefined, true]);
    const on = seen(fix(1000, { ignition: false }), fix(2000, { ignition: true }));
    expect(on.on).toBe(NOW + 2000);
    expect(resultOf('ignition', on, undefined)).toBe('open');
    const both = [fix(2000, { ignition: true }), fix(3000, { ignition: true }), fix(4000, { ignition: false })];
    expect(seen(...both)).toMatchObject({ on: NOW + 2000, off: NOW + 4000 });
    expect(resultOf('ignition', seen(...both), undefined)).toBe('passed');
    const again = seen(...both, fix(5000, { ignition: true }), fix(6000, { ignition: false }));
    expect(again).toMatchObject({ on: NOW + 2000, off: NOW + 4000 });
  });

  it('is nothing that was before somebody looked', () => {
    const old = fix(-30 * MINUTE, { ignition: true, isMoving: true, fuelLitres: 40 });
    // The same fix comes twice: live, and of the history.
    const { on, moving, litres, fixes } = seen(old, old);
    expect([on, moving, litres, fixes]).toEqual([undefined, undefined, undefined, 0]);
    // A moment ago is now.
    expect(seen(fix(-MINUTE, { ignition: true })).on).toBe(NOW - MINUTE);
    // A tracker whose clock is wrong is heard all the same.
    const slow = [fix(-30 * MINUTE), fix(-29 * MINUTE, { ignition: true }), fix(-28 * MINUTE, { ignition: false })];
    expect(resultOf('ignition', seen(...slow), undefined)).toBe('passed');
  });

  it('counts a fix once, whatever is learnt of it later', () => {
    const later = seen(fix(1000), fix(1000, { fuelLitres: 40 }));
    expect(later).toMatchObject({ fixes: 1, litres: 40 });
    // What a later one does not say is still what was read.
    expect(isRead(withFix(later, fix(2000)), 'fuel')).toBe(true);
    expect(withFix(later, fix(1000, { fuelLitres: 40 }))).toBe(later);
  });

  it('tells what is missing after some fixes, and not before', () => {
    const two = seen(fix(1000), fix(2000));
    expect(isMissing(two, 'fuel')).toBe(false);
    const three = withFix(two, fix(3000, { ignition: true }));
    expect([isMissing(three, 'fuel'), isMissing(three, 'ignition')]).toEqual([true, false]);
  });

  it('is what somebody said, where only they can know', () => {
    const moving = seen(fix(1000, { isMoving: true, fuelPercent: 60 }));
    expect(resultOf('movement', moving, undefined)).toBe('passed');
    expect(resultOf('fuel', moving, undefined)).toBe('open');
    expect(resultOf('fuel', moving, 'matches')).toBe('passed');
    expect(resultOf('fuel', moving, 'differs')).toBe('differs');
    expect(resultOf('ignition', moving, 'skipped')).toBe('skipped');
  });
});
