import { describe, expect, it } from 'vitest';
import { bearingTo, compassPoint, metresAlong, metresApart, type Place } from './greatCircle';

const JAKARTA: Place = [-6.2088, 106.8456];
const SURABAYA: Place = [-7.2575, 112.7521];

describe('the way over the globe', () => {
  it('is as long as geodesists say, near and far', () => {
    // One minute of latitude is a nautical mile.
    expect(metresApart([0, 0], [1 / 60, 0])).toBeCloseTo(1_853, -1);
    // WGS 84 says 663.9 km.
    expect(metresApart(JAKARTA, SURABAYA) / 1_000).toBeCloseTo(663.6, -1);
    expect(metresApart([0, 0], [0, 180]) / 1_000).toBeCloseTo(20_015, 0);
    expect(metresApart(JAKARTA, JAKARTA)).toBe(0);
  });

  it('is the same both ways, and short over the line where days change', () => {
    expect(metresApart(JAKARTA, SURABAYA)).toBeCloseTo(metresApart(SURABAYA, JAKARTA), 6);
    expect(metresApart([0, 179.9], [0, -179.9]) / 1_000).toBeCloseTo(22.2, 0);
  });

  it('adds up along several places', () => {
    const [first, second, third] = metresAlong([JAKARTA, SURABAYA, JAKARTA]);
    expect(first).toBe(0);
    expect(third).toBeCloseTo(2 * (second ?? 0), 6);
    expect(metresAlong([])).toEqual([]);
  });

  it('sets out in the direction of the other place', () => {
    expect(bearingTo([0, 0], [1, 0])).toBeCloseTo(0, 6);
    expect(bearingTo([0, 0], [0, 1])).toBeCloseTo(90, 6);
    expect(bearingTo([0, 0], [0, -1])).toBeCloseTo(270, 6);
    expect(bearingTo(JAKARTA, SURABAYA)).toBeCloseTo(100, -1);
  });

  it('names the direction that is the nearest', () => {
    expect([0, 22, 23, 90, 181, 300, 337, 338, 360].map(compassPoint)).toEqual([
      'n',
      'n',
      'ne',
      'e',
      's',
      'nw',
      'nw',
      'n',
      'n',
    ]);
  });
});
