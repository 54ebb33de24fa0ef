import { describe, expect, it } from 'vitest';
import { readPlace, writePlace } from './coordinates';

describe('coordinates', () => {
  it('are written as map programs take them', () => {
    expect(writePlace([-6.203_141_9, 106.85525])).toBe('-6.20314, 106.85525');
    expect(writePlace([0, -0.5])).toBe('0.00000, -0.50000');
  });

  it.each([
    ['-6.20314, 106.85525', [-6.20314, 106.85525]],
    ['-6.2,106.8', [-6.2, 106.8]],
    ['  -6.2 106.8 ', [-6.2, 106.8]],
    ['-6; 106', [-6, 106]],
  ])('are read from %j', (text, place) => expect(readPlace(text)).toEqual(place));

  it.each(['', 'Jakarta', '-6.2', '106.85525, -6.20314', '-6.2, 190', '-6,2; 106,8', '1e2, 3'])(
    'are none: %j',
    (text) => expect(readPlace(text)).toBeNull(),
  );

  it('come back as they were written', () => {
    expect(readPlace(writePlace([-7.2575, 112.7521]))).toEqual([-7.2575, 112.7521]);
  });
});
