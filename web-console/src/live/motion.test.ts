import { describe, expect, it } from 'vitest';
import { MAX_GLIDE_MS, bearing, glideDuration, headingBetween } from './motion';

describe('motion', () => {
  it('turns around the shorter side', () => {
    expect(headingBetween(350, 10, 0.5)).toBeCloseTo(0);
    expect(headingBetween(10, 350, 0.5)).toBeCloseTo(0);
    expect(headingBetween(90, 180, 0.5)).toBeCloseTo(135);
  });

  it('knows the bearing', () => {
    expect(bearing(0.5, 0.5, 0.5, 0.4)).toBeCloseTo(0);
    expect(bearing(0.5, 0.5, 0.6, 0.5)).toBeCloseTo(90);
    expect(bearing(0.5, 0.5, 0.4, 0.5)).toBeCloseTo(270);
  });

  it('glides over the reporting interval, within limits', () => {
    expect(glideDuration(0, 2_000)).toBe(2_000);
    expect(glideDuration(0, 60_000)).toBe(MAX_GLIDE_MS);
    expect(glideDuration(0, 1)).toBeGreaterThan(1);
  });
});
