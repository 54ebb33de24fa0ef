import { describe, expect, it } from 'vitest';
import type { Fleet } from './fleet';
import { NameOrder, collatorOf } from './nameOrder';
import { catalogueOf, chanceFrom, fleetOf } from './testFleet';

const NAMES = ['Bus', 'bus', 'Truk', 'truk', 'Élan', 'elan', 'Zebra', 'Äpfel', '', '卡车'];
const LOCALES = [['id'], ['sv'], ['zh', 'id']];

/** What it must come to, by a sort of all. */
function sorted(fleet: Fleet, locales: string[]): number[] {
  const compare = collatorOf(locales);
  const rows = Array.from({ length: fleet.size }, (_, row) => row).filter((row) => fleet.isLive(row));
  return rows.sort((a, b) => compare(fleet.names[a] ?? '', fleet.names[b] ?? '') || a - b);
}

describe('the order of names', () => {
  it('is that of a sort of all, whoever came, left or was renamed since', () => {
    const chance = chanceFrom(7);
    const { fleet } = fleetOf([]);
    const order = new NameOrder(fleet);
    let locales = LOCALES[0] ?? [];
    /** A part of a catalogue; the number of a device never changes. */
    const some = (most: number, change: Parameters<typeof catalogueOf>[1] = {}) => {
      const index = [...new Set(Array.from({ length: 1 + chance(most) }, () => chance(200)))];
      const name = index.map(() => `${NAMES[chance(NAMES.length)]} ${chance(30)}`);
      const ids = index.map((number) => `v${number}`);
      return { index, list: () => fleet.list(catalogueOf(ids, { index, name, ...change })) };
    };
    for (let step = 0; step < 500; step++) {
      const act = chance(20);
      if (act === 0) fleet.clear();
      else if (act === 1) some(100, { reset: true }).list();
      else if (act < 8) {
        const gone = some(20).index.filter((number) => fleet.row(`v${number}`) !== undefined);
        fleet.list(catalogueOf([], { gone }));
      } else some(40).list();
      if (chance(15) === 0) locales = LOCALES[chance(LOCALES.length)] ?? [];
      const look = chance(3);
      if (look === 0) order.catchUp(locales);
      else if (look === 1) expect([...order.rows(locales)]).toEqual(sorted(fleet, locales));
    }
    expect([...order.rows(locales)]).toEqual(sorted(fleet, locales));
  });

  it('compares the names that have changed, and none again', () => {
    const chance = chanceFrom(11);
    const ids = Array.from({ length: 2_000 }, (_, place) => `v${place}`);
    const name = ids.map(() => `Truk ${chance(10_000)}`);
    const { fleet } = fleetOf([]);
    let compared = 0;
    const order = new NameOrder(fleet, (locales) => {
      const compare = collatorOf(locales);
      return (one, other) => {
        compared += 1;
        return compare(one, other);
      };
    });
    const PART = 100;
    for (let from = 0; from < ids.length; from += PART) {
      const part = { reset: from === 0, complete: false, name: name.slice(from, from + PART) };
      fleet.list(catalogueOf(ids.slice(from, from + PART), part, from));
      order.catchUp(['id']);
    }
    expect([...order.rows(['id'])]).toEqual(sorted(fleet, ['id']));
    // Not more than twice what one sort of all compares, however many parts there were.
    expect(compared).toBeLessThan(2 * ids.length * Math.log2(ids.length));

    compared = 0;
    fleet.list(catalogueOf(ids, { reset: true, name, driver: ids.map(() => 'Siti') }));
    order.rows(['id']);
    expect(compared).toBe(0);

    fleet.list(catalogueOf(['v7'], { name: ['Truk 5000'] }, 7));
    expect([...order.rows(['id'])]).toEqual(sorted(fleet, ['id']));
    expect(compared).toBeLessThan(3 * Math.log2(ids.length));
  });
});
