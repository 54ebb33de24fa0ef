import { describe, expect, it } from 'vitest';
import type { DeviceGroup } from '../protocol';
import { treeOf } from './groups';
import { catalogueOf, fleetOf } from './testFleet';

const group = (id: string, parentId: string | null, ...deviceIds: string[]): DeviceGroup => ({
  id,
  name: id.toUpperCase(),
  parentId,
  deviceIds,
});

describe('groups', () => {
  it('stand before those that lie in them, in their order, however they came', () => {
    const tree = treeOf([
      group('bandung', 'west'),
      group('bali', null),
      group('java', null),
      group('west', 'java'),
      group('east', 'java'),
      // What it lies in is not there.
      group('lost', 'nowhere'),
    ]);
    expect(tree.map(({ id, depth, parent, end }) => [id, depth, parent, end])).toEqual([
      ['bali', 0, -1, 1],
      ['java', 0, -1, 5],
      ['west', 1, 1, 4],
      ['bandung', 2, 2, 4],
      ['east', 1, 1, 5],
      ['lost', 0, -1, 6],
    ]);
  });

  it('know who is in them when devices come and go, and forget with those who know them', () => {
    const { fleet } = fleetOf(['a']);
    fleet.groups.set([group('java', null, 'a', 'b'), group('west', 'java', 'c')]);
    const inJava = () => ['a', 'b', 'c'].filter((id) => fleet.groups.within(['java'])(fleet.row(id) ?? -1));
    expect(inJava()).toEqual(['a']);
    fleet.list(catalogueOf(['b', 'c'], {}, 1));
    expect(inJava()).toEqual(['a', 'b', 'c']);
    fleet.list(catalogueOf([], { gone: [0] }));
    expect(inJava()).toEqual(['b', 'c']);
    fleet.groups.set(null);
    expect([inJava(), fleet.groups.known]).toEqual([[], false]);
  });
});
