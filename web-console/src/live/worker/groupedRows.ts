import type { StateCounts } from '../liveDevice';
import type { GroupHead } from '../protocol';
import { VEHICLE_STATES } from '../vehicleState';
import type { Groups } from './groups';

/** A list that stands by groups: the entry of a vehicle is its row, that of a head the complement of its place among the heads. */
export interface GroupedRows {
  entries: number[];
  heads: GroupHead[];
}

interface Grouping {
  groups: Groups;
  /** In their order. */
  rows: readonly number[];
  /** Only these groups and what lies in them; null for all. */
  only: readonly string[] | null;
  isOpen: (groupId: string) => boolean;
  /** By its place in `VEHICLE_STATES`. */
  stateCode: (row: number) => number;
}

/** The complement of a place among the heads; of a row nothing. */
export const headIn = (entry: number): number | undefined => (entry < 0 ? ~entry : undefined);

/**
 * Puts rows below the groups that they are in, in each of them that they are in, inner groups before the vehicles of a group
 * itself; those that are in none come last. Groups without any of the rows are left out.
 */
export function groupedRows({ groups, rows, only, isOpen, stateCode }: Grouping): GroupedRows {
  const { tree } = groups;
  const shown = only && groups.marked(only);
  const isShown = (place: number) => shown === null || shown[place] === 1;
  const counts = countsOf(groups, rows, stateCode);
  const own = rowsOf(groups, rows);
  const entries: number[] = [];
  const heads: GroupHead[] = [];
  const addHead = (place: number, depth: number): boolean => {
    const { id, name } = tree[place] ?? { id: '', name: '' };
    const of = counts(place);
    const total = of.reduce((sum, count) => sum + count, 0);
    if (total === 0) return false;
    const head: GroupHead = { id, name, depth, isOpen: isOpen(id), total, counts: byState(of) };
    entries.push(~heads.length);
    heads.push(head);
    return head.isOpen;
  };
  /** The groups from one place to another, each with all of it. */
  const addBetween = (from: number, end: number, depth: number) => {
    for (let place = from; place < end; place = tree[place]?.end ?? end) {
      const after = tree[place]?.end ?? end;
      if (!isShown(place)) addBetween(place + 1, after, depth);
      else if (addHead(place, depth)) {
        addBetween(place + 1, after, depth + 1);
        for (const row of own[place] ?? []) entries.push(row);
      }
    }
  };
  addBetween(0, tree.length, 0);
  if (only === null && addHead(tree.length, 0)) for (const row of own[tree.length] ?? []) entries.push(row);
  return { entries, heads };
}

/** The rows of each group itself, by its place; behind the last those that are in none. */
function rowsOf(groups: Groups, rows: readonly number[]): number[][] {
  const own = Array.from({ length: groups.tree.length + 1 }, (): number[] => []);
  const nowhere = [groups.tree.length];
  for (const row of rows) {
    const places = groups.placesOf(row);
    for (const place of places.length > 0 ? places : nowhere) own[place]?.push(row);
  }
  return own;
}

/** How many of the rows are in a group or in one that lies in it, each counted once, by state. */
function countsOf(groups: Groups, rows: readonly number[], stateCode: (row: number) => number) {
  const { tree } = groups;
  const states = VEHICLE_STATES.length;
  const counts = new Uint32Array((tree.length + 1) * states);
  /** Of each group the last row that was counted in it. */
  const countedFor = new Int32Array(tree.length + 1).fill(-1);
  const nowhere = [tree.length];
  for (const row of rows) {
    const state = stateCode(row);
    const places = groups.placesOf(row);
    for (const inner of places.length > 0 ? places : nowhere) {
      for (let place = inner; place >= 0 && countedFor[place] !== row; place = tree[place]?.parent ?? -1) {
        const at = place * states + state;
        counts[at] = (counts[at] ?? 0) + 1;
        countedFor[place] = row;
      }
    }
  }
  return (place: number) => counts.subarray(place * states, (place + 1) * states);
}

const byState = (counts: Uint32Array) =>
  Object.fromEntries(VEHICLE_STATES.map((state, code) => [state, counts[code] ?? 0])) as StateCounts;
