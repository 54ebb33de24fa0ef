import type { DeviceGroup } from '../protocol';

/** A group in the order of the tree. */
export interface TreeGroup {
  id: string;
  name: string;
  /** How many groups it lies in. */
  depth: number;
  /** The place of the group that it lies in, or -1. */
  parent: number;
  /** Behind the last group that lies in it: from its own place on to here is all of it. */
  end: number;
  deviceIds: readonly string[];
}

/** What of the fleet is needed to find the rows of devices. */
interface Rows {
  row: (id: string) => number | undefined;
  readonly rowsVersion: number;
}

/** Groups as a tree: each stands before those that lie in it, which keep their order. */
export function treeOf(groups: readonly DeviceGroup[]): TreeGroup[] {
  const known = new Set(groups.map(({ id }) => id));
  const inside = new Map<string | null, DeviceGroup[]>();
  for (const group of groups) {
    const parent = group.parentId !== null && known.has(group.parentId) ? group.parentId : null;
    const siblings = inside.get(parent);
    if (siblings) siblings.push(group);
    else inside.set(parent, [group]);
  }
  const tree: TreeGroup[] = [];
  const grow = (parentId: string | null, parent: number, depth: number) => {
    for (const { id, name, deviceIds } of inside.get(parentId) ?? []) {
      const place = tree.length;
      const group: TreeGroup = { id, name, depth, parent, end: 0, deviceIds };
      tree.push(group);
      grow(id, place, depth + 1);
      group.end = tree.length;
    }
  };
  grow(null, -1, 0);
  return tree;
}

/** Who of the fleet is in which group. */
export class Groups {
  /** In their order; nobody is in any while they are not known. */
  tree: readonly TreeGroup[] = [];
  known = false;
  /** Grows with every change of them. */
  version = 0;
  /** Of each row the places of the groups that its device is in itself. */
  private places: (number[] | undefined)[] = [];
  private foundIn = { version: -1, rows: -1 };

  private readonly fleet: Rows;

  constructor(fleet: Rows) {
    this.fleet = fleet;
  }

  /** Takes in who is in which; null when nobody knows. */
  set(groups: readonly DeviceGroup[] | null): void {
    this.tree = treeOf(groups ?? []);
    this.known = groups !== null;
    this.version += 1;
  }

  /** The places in the tree of the groups that the device of a row is in itself. */
  placesOf(row: number): readonly number[] {
    this.find();
    return this.places[row] ?? NONE;
  }

  /** Of each place of the tree 1 when its group is one of these or lies in one. */
  marked(ids: readonly string[]): Uint8Array {
    const marked = new Uint8Array(this.tree.length);
    this.tree.forEach(({ id, end }, place) => {
      if (ids.includes(id)) marked.fill(1, place, end);
    });
    return marked;
  }

  /** Says of rows whether their devices are in one of these groups, or in one that lies in it. */
  within(ids: readonly string[]): (row: number) => boolean {
    const marked = this.marked(ids);
    const isMarked = (place: number) => marked[place] === 1;
    return (row) => this.placesOf(row).some(isMarked);
  }

  private find(): void {
    const { fleet, foundIn, version } = this;
    if (foundIn.version === version && foundIn.rows === fleet.rowsVersion) return;
    this.foundIn = { version, rows: fleet.rowsVersion };
    this.places = [];
    this.tree.forEach(({ deviceIds }, place) => {
      for (const id of deviceIds) {
        const row = fleet.row(id);
        if (row !== undefined) (this.places[row] ??= []).push(place);
      }
    });
  }
}

const NONE: readonly number[] = [];
