import { describe, expect, it } from 'vitest';
import { CHOSEN_MAX } from './choosing';
import { mapViewQuery, readMapAddress } from './useMapAddress';

const read = (search: string) => readMapAddress(new URLSearchParams(search));

describe('the address of the map', () => {
  it('names one chosen vehicle as it always has, or several, each once and no more than can be chosen', () => {
    expect(read('').deviceIds).toEqual([]);
    expect(read('device_id=a').deviceIds).toEqual(['a']);
    expect(read('device_id=a,b,,a,c').deviceIds).toEqual(['a', 'b', 'c']);
    const many = Array.from({ length: CHOSEN_MAX + 1 }, (_, place) => `v${place}`);
    expect(read(`device_id=${many.join()}`).deviceIds).toHaveLength(CHOSEN_MAX);
  });

  it('says what is shown, and passes over what it does not know', () => {
    expect(read('states=parked,flying,moving&groups=x,y&by=group&sort=odd&q=truk')).toMatchObject({
      states: ['moving', 'parked'],
      groups: ['x', 'y'],
      grouped: true,
      sort: 'state',
      q: 'truk',
    });
    expect(read('states=flying&groups=&by=driver')).toMatchObject({ states: null, groups: null, grouped: false });
  });

  it('is kept by a view, but for who is chosen, whatever its order was', () => {
    const query = 'area=-6.2,106.8,12&by=group&groups=x,y&q=truk&sort=recent&states=idle';
    const kept = new URLSearchParams(mapViewQuery(read(`${query}&device_id=a`)));
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(new URLSearchParams(query)));
    expect(mapViewQuery(read('sort=state&states=idle'))).toBe('states=idle');
    expect(mapViewQuery(read(kept.toString()))).toBe(kept.toString());
  });
});
