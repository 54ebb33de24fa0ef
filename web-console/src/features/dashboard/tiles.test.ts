import { describe, expect, it } from 'vitest';
import { readArrangement, TILES, USUAL_ARRANGEMENT, withTileMoved, withShown } from './tiles';

describe('the arrangement of the dashboard', () => {
  it('is the usual one where nothing was kept, or nothing that can be read', () => {
    for (const kept of [null, undefined, {}, [], { order: 7, hidden: 'x' }])
      expect(readArrangement(kept)).toEqual(USUAL_ARRANGEMENT);
  });

  it('keeps what was chosen, without tiles that are no more; newer ones stand at the end', () => {
    const kept = { order: ['silent', 'weather', 'today', 'silent'], hidden: ['recent', 'weather'] };
    const { order, hidden } = readArrangement(kept);
    expect(order.slice(0, 3)).toEqual(['silent', 'today', 'vehicles']);
    expect([...order].sort()).toEqual([...TILES].sort());
    expect(hidden).toEqual(['recent']);
  });

  it('hides a tile once, and shows it where it was', () => {
    const without = withShown(withShown(USUAL_ARRANGEMENT, 'kinds', false), 'kinds', false);
    expect(without).toEqual({ ...USUAL_ARRANGEMENT, hidden: ['kinds'] });
    expect(withShown(without, 'kinds', true)).toEqual(USUAL_ARRANGEMENT);
  });

  it('moves a tile past the next one that its person sees, and no further than the end', () => {
    const seen = TILES.filter((tile) => tile !== 'map' && tile !== 'alarms');
    const moved = withTileMoved(USUAL_ARRANGEMENT, 'today', -1, seen);
    expect(moved.order.slice(0, 4)).toEqual(['today', 'map', 'alarms', 'vehicles']);
    expect(withTileMoved(USUAL_ARRANGEMENT, 'vehicles', -1, seen)).toEqual(USUAL_ARRANGEMENT);
    expect(withTileMoved(USUAL_ARRANGEMENT, 'silent', 1, seen)).toEqual(USUAL_ARRANGEMENT);
  });
});
