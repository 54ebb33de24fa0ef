import { describe, expect, it } from 'vitest';
import { latOf, lngOf, metresBetween, unitX, unitY } from './mercator';

describe('mercator', () => {
  it('goes there and back', () => {
    for (const [lat, lng] of [
      [-6.2, 106.8],
      [51.5, -0.1],
      [0, 0],
    ] as const) {
      expect(latOf(unitY(lat))).toBeCloseTo(lat, 9);
      expect(lngOf(unitX(lng))).toBeCloseTo(lng, 9);
    }
  });

  it('measures metres', () => {
    expect(metresBetween(unitX(106.8), unitY(-6.2), unitX(106.81), unitY(-6.2))).toBeCloseTo(1106.7, 0);
  });
});
