import { describe, expect, it } from 'vitest';
import { clipRing } from './clip';
import { pathOf, ringsOf } from './geometry';
import { labelsAt, type Place } from './labels';
import places from './places.json';

const box = { minX: 0, minY: 0, maxX: 10, maxY: 10 };
const area = (ring: number[]) => {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += (ring[i] ?? 0) * (ring[j + 1] ?? 0) - (ring[j] ?? 0) * (ring[i + 1] ?? 0);
  }
  return Math.abs(sum / 2);
};

describe('clipRing', () => {
  it('leaves a ring inside alone', () => {
    expect(clipRing([1, 1, 2, 1, 2, 2], box)).toEqual([1, 1, 2, 1, 2, 2]);
  });

  it('keeps the part inside', () => {
    expect(area(clipRing([-5, -5, 5, -5, 5, 5, -5, 5], box))).toBeCloseTo(25);
  });

  it('becomes the box when the ring is around it', () => {
    expect(area(clipRing([-90, -90, 90, -90, 90, 90, -90, 90], box))).toBeCloseTo(100);
  });

  it('is nothing outside', () => {
    expect(clipRing([20, 20, 30, 20, 30, 30], box)).toEqual([]);
  });
});

describe('pathOf', () => {
  it('knows its bounds', () => {
    const path = pathOf([
      [-180, 0],
      [180, 0],
    ]);
    expect(path).toMatchObject({ minX: 0, maxX: 1, minY: 0.5, maxY: 0.5 });
  });
});

describe('ringsOf', () => {
  it('leaves a ring alone that stays on its side', () => {
    expect(
      ringsOf([
        [95, -10],
        [141, -10],
        [141, 5],
        [95, -10],
      ]),
    ).toHaveLength(1);
  });

  it('does not draw across the world what crosses the 180th meridian', () => {
    const rings = ringsOf([
      [179, -16],
      [-179, -16],
      [-179, -17],
      [179, -17],
      [179, -16],
    ]);
    expect(rings.map(({ minX, maxX }) => (maxX - minX) * 360)).toEqual([expect.closeTo(2), expect.closeTo(2)]);
    expect(rings.map(({ minX }) => minX * 360)).toEqual([expect.closeTo(359), expect.closeTo(-1)]);
  });

  it('closes a ring around the pole over it', () => {
    const [ring] = ringsOf([
      [-180, -70],
      [-60, -72],
      [60, -70],
      [180, -72],
      [-180, -70],
    ]);
    expect(ring).toMatchObject({ minX: 0, maxX: 1 });
    expect(ring?.maxY).toBeCloseTo(1);
  });
});

describe('labelsAt', () => {
  it('shows large cities first and more from near', () => {
    const far = labelsAt(places as Place[], 5).map(({ name }) => name);
    const near = labelsAt(places as Place[], 9).map(({ name }) => name);
    expect(far).toContain('Jakarta');
    expect(far).not.toContain('Salatiga');
    expect(near).toContain('Salatiga');
    expect(near.length).toBeGreaterThan(far.length);
  });
});
