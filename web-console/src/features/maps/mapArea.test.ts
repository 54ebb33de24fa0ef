import { describe, expect, it } from 'vitest';
import { readArea, writeArea } from './mapArea';

describe('a part of the map in the address', () => {
  it('comes back as it was written', () => {
    const area = { centre: [-6.20314, 106.85525] as [number, number], zoom: 12 };
    expect(writeArea(area)).toBe('-6.20314,106.85525,12');
    expect(readArea(writeArea(area))).toEqual(area);
  });

  it.each([null, '', '12', '-6.2,106.8', '-6.2,106.8,', '-6.2,106.8,zoom', '96.2,106.8,12', '-6.2,106.8,123'])(
    'is none in %j',
    (text) => expect(readArea(text)).toBeNull(),
  );
});
