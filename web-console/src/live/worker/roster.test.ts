import { describe, expect, it } from 'vitest';
import type { ListQuery, ListSort } from '../protocol';
import { USUAL_AGES } from '../vehicleState';
import { Roster } from './roster';
import { alarmsOf, catalogueOf, chanceFrom, fleetOf } from './testFleet';

const query = (change: Partial<ListQuery> = {}): ListQuery => ({
  search: '',
  states: null,
  groups: null,
  sort: 'name',
  turned: null,
  locales: ['id'],
  asked: 0,
  first: 0,
  count: 10,
  ...change,
});

function setUp(names: string[]) {
  const { fleet, report } = fleetOf(names);
  fleet.list(catalogueOf(names, { name: names, driver: names.map((name) => (name === 'Bus 2' ? 'Siti' : '')) }));
  const roster = new Roster(fleet);
  const ask = (change: Partial<ListQuery> = {}, clock = 0) => {
    roster.ask(query(change));
    roster.arrange(clock, false);
    return roster.report(clock, true);
  };
  return { fleet, report, roster, ask };
}

describe('Roster', () => {
  it('stands by name as people count', () => {
    const { ask } = setUp(['Truk 10', 'bus 1', 'Truk 9', 'Bus 2']);
    expect(ask()?.ids).toEqual(['bus 1', 'Bus 2', 'Truk 9', 'Truk 10']);
  });

  it('finds by name, driver and IMEI', () => {
    const { ask } = setUp(['Truk 10', 'Bus 2']);
    expect(ask({ search: ' truk ' })?.ids).toEqual(['Truk 10']);
    expect(ask({ search: 'SITI' })?.ids).toEqual(['Bus 2']);
    expect(ask({ search: '490000000000001' })?.ids).toEqual(['Bus 2']);
    expect(ask({ search: 'nobody' })).toMatchObject({ total: 0, fleetSize: 2, ids: [] });
  });

  it('answers the part that is looked at, and of that only what has changed', () => {
    const { ask, report, roster } = setUp(['a', 'b', 'c', 'd']);
    expect(ask({ first: 1, count: 2 })).toMatchObject({ total: 4, first: 1, ids: ['b', 'c'] });
    expect(roster.report(0, false)).toBeNull();
    report(0, { id: 'c', at: 0 }, { id: 'd', at: 0 });
    expect(roster.report(0, false)?.devices.map(({ id }) => id)).toEqual(['c']);
    expect(roster.report(0, false)).toBeNull();
  });

  it('keeps the order while vehicles change, until somebody asks', () => {
    const { ask, report, roster } = setUp(['a', 'b']);
    report(0, { id: 'a', at: 2_000 }, { id: 'b', at: 1_000 });
    expect(ask({ sort: 'recent' }, 2_000)?.ids).toEqual(['a', 'b']);
    report(0, { id: 'b', at: 3_000 });
    roster.arrange(3_000, false);
    expect(roster.report(3_000, false)?.ids).toEqual(['a', 'b']);
    expect(ask({ sort: 'recent', asked: 1 }, 3_000)?.ids).toEqual(['b', 'a']);
  });

  it('shows alarms before what moves, and that before what stands', () => {
    const { fleet, ask, report } = setUp(['a', 'b', 'c', 'd']);
    fleet.list(catalogueOf(['b'], alarmsOf(1), 1));
    report(0, { id: 'a', at: 0, motion: 3 }, { id: 'b', at: 0 }, { id: 'd', at: 0 });
    expect(ask({ sort: 'state' })?.ids).toEqual(['b', 'd', 'a', 'c']);
  });

  it('is put in order once more when all has come that was known at the start', () => {
    const { ask, report, roster } = setUp(['a', 'b']);
    expect(ask({ sort: 'state' })?.ids).toEqual(['a', 'b']);
    report(0, { id: 'a', at: 0, motion: 3 }, { id: 'b', at: 0 });
    roster.arrangeAgain();
    roster.arrange(0, false);
    expect(roster.report(0, false)?.ids).toEqual(['b', 'a']);
  });

  it('stands by what counts and then by name, whatever it counts', () => {
    const chance = chanceFrom(1);
    const ids = Array.from({ length: 400 }, (_, place) => `v${place}`);
    const some = (part: number) => ids.map((_, place) => place).filter(() => chance(part) === 0);
    const { fleet, report } = fleetOf(ids);
    const name = ids.map(() => `${['Bus', 'bus', 'Truk'][chance(3)]} ${chance(50)}`);
    fleet.list(catalogueOf(ids, { name, inactive: some(10), ...alarmsOf(...some(10)) }));
    const clock = 2 * USUAL_AGES.offlineAfterMs;
    const motion = () => ([1, 2, 3] as const)[chance(3)];
    report(0, ...some(2).map((place) => ({ id: `v${place}`, at: (chance(20) / 20) * clock, motion: motion() })));

    const { compare } = new Intl.Collator('id', { numeric: true, sensitivity: 'base' });
    const urgency = ['alarm', 'moving', 'idle', 'parked', 'offline', 'no_data'];
    const numbers: Record<ListSort, (row: number) => number> = {
      name: () => 0,
      state: (row) => urgency.indexOf(fleet.device(row, clock).state),
      recent: (row) => -(fleet.device(row, clock).position?.recordedAt ?? -Infinity),
    };
    const alarm = (row: number) => (fleet.device(row, clock).state === 'alarm' ? 0 : 1);
    const shown = ids.map((_, row) => row).filter((row) => fleet.isShown(row));
    for (const sort of ['name', 'state', 'recent'] as const) {
      const number = numbers[sort];
      const expected = shown.toSorted(
        (a, b) =>
          alarm(a) - alarm(b) || number(a) - number(b) || compare(fleet.names[a] ?? '', fleet.names[b] ?? '') || a - b,
      );
      const roster = new Roster(fleet);
      roster.ask(query({ sort, count: ids.length }));
      roster.arrange(clock, false);
      expect(roster.report(clock, true)?.ids).toEqual(expected.map((row) => ids[row]));
    }
  });

  it('begins with the first vehicles of a catalogue, and waits until there are many more or all', () => {
    const { fleet, roster, ask } = setUp([]);
    const comes = (ids: string[], change: Parameters<typeof catalogueOf>[1]) => {
      fleet.list(catalogueOf(ids, change, fleet.count));
      roster.arrange(0, false);
      return roster.report(0, true)?.ids.join('');
    };
    ask();
    expect(comes(['f', 'd', 'g', 'e'], { reset: true, complete: false })).toBe('defg');
    expect(comes(['c'], { complete: false })).toBe('defg');
    expect(comes(['b'], { complete: false })).toBe('bcdefg');
    expect(comes(['a'], { complete: false })).toBe('bcdefg');
    expect(ask({ search: 'truck a' })?.ids).toEqual(['a']);
    expect(ask()?.ids.join('')).toBe('abcdefg');
    expect(comes(['0'], { complete: true })).toBe('0abcdefg');
  });

  it('leaves out what is not in use, until it is again', () => {
    const { fleet, ask } = setUp(['a', 'b']);
    fleet.list(catalogueOf(['a', 'b'], { inactive: [1] }));
    expect(ask()).toMatchObject({ total: 1, fleetSize: 2, ids: ['Truck a'].map(() => 'a') });
    expect(fleet.device(fleet.row('b') ?? -1, 0).inactive).toBe(true);
    fleet.list(catalogueOf(['b'], {}, 1));
    expect(ask()?.ids).toEqual(['a', 'b']);
  });

  it('stands by groups: inner ones first, a vehicle in each of its own, counts of each once', () => {
    const { fleet, ask, report } = setUp(['a', 'b', 'c', 'd']);
    report(0, { id: 'a', at: 0 }, { id: 'b', at: 0, motion: 3 }, { id: 'c', at: 0 });
    expect(ask({ turned: [] })).toMatchObject({ total: 0, complete: false });
    fleet.groups.set([
      { id: 'java', name: 'Java', parentId: null, deviceIds: ['a', 'b'] },
      { id: 'west', name: 'West', parentId: 'java', deviceIds: ['a', 'c'] },
      { id: 'empty', name: 'Empty', parentId: null, deviceIds: ['gone'] },
    ]);
    const closed = ask({ turned: [] });
    expect(closed?.heads?.map(([place, { name, total, isOpen }]) => [place, name, total, isOpen])).toEqual([
      [0, 'Java', 3, false],
      [1, '', 1, false],
    ]);
    expect(closed).toMatchObject({ total: 2, complete: true, ids: ['', ''], devices: [] });
    expect(closed?.heads?.[0]?.[1].counts).toMatchObject({ moving: 2, parked: 1, no_data: 0 });
    const open = ask({ turned: ['java', 'west'] });
    expect(open?.ids).toEqual(['', '', 'a', 'c', 'a', 'b', '']);
    expect(open?.heads?.map(([, { name, depth }]) => [name, depth])).toEqual([
      ['Java', 0],
      ['West', 1],
      ['', 0],
    ]);
    // Whatever a search finds is open.
    expect(ask({ turned: ['java'], search: 'c' })?.ids).toEqual(['']);
    expect(ask({ turned: [], search: 'c' })?.ids).toEqual(['', '', 'c']);
  });

  it('counts the heads of groups anew without another order', () => {
    const { fleet, ask, report, roster } = setUp(['a', 'b']);
    fleet.groups.set([{ id: 'java', name: 'Java', parentId: null, deviceIds: ['a', 'b'] }]);
    report(0, { id: 'a', at: 1_000 }, { id: 'b', at: 2_000 });
    expect(ask({ turned: ['java'], sort: 'recent' })?.ids).toEqual(['', 'b', 'a']);
    report(0, { id: 'a', at: 3_000, motion: 3 });
    roster.arrange(3_000, true);
    const again = roster.report(3_000, false);
    expect(again?.ids).toEqual(['', 'b', 'a']);
    expect(again?.heads?.[0]?.[1].counts).toMatchObject({ moving: 1, parked: 1 });
  });

  it('keeps to groups with those that lie in them, and tells what stands between two places', () => {
    const { fleet, roster, ask } = setUp(['a', 'b', 'c', 'd']);
    fleet.groups.set([
      { id: 'java', name: 'Java', parentId: null, deviceIds: ['a'] },
      { id: 'west', name: 'West', parentId: 'java', deviceIds: ['b'] },
      { id: 'bali', name: 'Bali', parentId: null, deviceIds: ['c', 'b'] },
    ]);
    expect(ask({ groups: ['java'] })?.ids).toEqual(['a', 'b']);
    expect(ask({ groups: ['west', 'bali'] })?.ids).toEqual(['b', 'c']);
    expect(ask({ groups: ['nowhere'] })?.ids).toEqual([]);
    expect(ask({ groups: ['west'], turned: ['west'] })?.heads?.map(([, { name, depth }]) => [name, depth])).toEqual([
      ['West', 0],
    ]);
    ask();
    expect(roster.idsBetween(3, 1)).toEqual(['b', 'c', 'd']);
    ask({ turned: ['java', 'west', 'bali', ''] });
    expect(roster.idsBetween(0, 9)).toEqual(['b', 'a', 'c', 'd']);
  });

  it('keeps to the chosen states', () => {
    const { ask, report } = setUp(['a', 'b', 'c']);
    report(0, { id: 'a', at: 0 }, { id: 'b', at: 0, motion: 3 });
    expect(ask({ states: ['moving', 'no_data'] })?.ids).toEqual(['a', 'c']);
  });
});
