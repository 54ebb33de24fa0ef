import type { LiveDevice } from '../liveDevice';
import type { GroupHead, ListQuery, ListReport, ListSort } from '../protocol';
import { VEHICLE_STATES } from '../vehicleState';
import type { Fleet } from './fleet';
import { groupedRows, headIn } from './groupedRows';
import { NameOrder } from './nameOrder';
import { sortedBy } from './sortedBy';

/** While the catalogue comes in, the fleet must be so much larger than it was before the list is made anew. */
const GROWTH = 1.5;

/** The rows of the fleet in the order and choice of a list. It is only put in order anew when somebody asks. */
export class Roster {
  private query: ListQuery | null = null;
  /** What the list is of, in its order. */
  private rows: number[] = [];
  /** What stands in it: the rows, or where it stands by groups, these and heads as `groupedRows` has them. */
  private entries: number[] = [];
  private heads: GroupHead[] = [];
  private arranged = '';
  /** What of the catalogue was known when the rows were chosen. */
  private chosenFrom = { version: 0, count: 0 };
  private grouped = '';
  /** Versions and states of the rows that were reported last, by device. */
  private sentVersions = new Map<string, string>();
  private summary = '';

  private readonly fleet: Fleet;
  private readonly names: NameOrder;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
    this.names = new NameOrder(fleet);
  }

  /** Another list is looked at, or another part of it. */
  ask(query: ListQuery | null): void {
    this.query = query;
    if (!query) this.sentVersions.clear();
  }

  /** Forgets what was reported. */
  clear(): void {
    this.arranged = '';
    this.sentVersions.clear();
  }

  /** Puts the list in order anew with the next look: more is known of the vehicles that stand in it. */
  arrangeAgain(): void {
    this.arranged = '';
  }

  /** Whether rows enter and leave the list as vehicles change, or heads of groups count others. */
  get followsStates(): boolean {
    return this.query?.states != null || this.query?.turned != null;
  }

  /** Only who is in one of these groups is asked for; null for all. */
  get groups(): string[] | null {
    return this.query?.groups ?? null;
  }

  /** Ids of the devices in the part that is looked at. */
  ids(): string[] {
    if (!this.query) return [];
    const { first, count } = this.query;
    return this.idsIn(first, first + count);
  }

  /** Ids of the devices from one place to another, both counted, in either order. */
  idsBetween(one: number, other: number): string[] {
    return this.idsIn(Math.min(one, other), Math.max(one, other) + 1);
  }

  /** In a list by groups a device may stand twice. */
  private idsIn(from: number, end: number): string[] {
    const rows = this.entries.slice(Math.max(0, from), end).filter((entry) => headIn(entry) === undefined);
    return [...new Set(rows)].map((row) => this.fleet.ids[row] ?? '');
  }

  /** Chooses and orders the rows when the question or the catalogue is another one, or when `again`. */
  arrange(clock: number, again: boolean): void {
    const { query, fleet } = this;
    if (!query) return;
    const { search, states: only, groups, sort, locales, asked } = query;
    this.names.catchUp(locales);
    const key = JSON.stringify([search, only, groups, sort, locales, asked, groupsVersion(fleet, query)]);
    const isAnother = key !== this.arranged || this.isOutdated();
    // Whoever only counts anew leaves the order as it is.
    if (isAnother || (again && only !== null)) this.choose(query, clock);
    this.group(query, clock, again || isAnother);
    this.arranged = key;
  }

  /**
   * Whether the rows are to be chosen anew because of the catalogue. A large one comes in many parts: the first vehicles stand
   * in the list at once, but then it waits until it has become much longer, or is complete. To go through all rows with every
   * part would take the longer the more are there, and nobody reads a list whose rows move four times a second.
   */
  private isOutdated(): boolean {
    const { complete, catalogueVersion, count } = this.fleet;
    const before = this.chosenFrom;
    if (catalogueVersion === before.version) return false;
    return complete || count < before.count || count >= GROWTH * before.count;
  }

  private choose(query: ListQuery, clock: number): void {
    const { fleet } = this;
    const wanted = query.search.trim().toLowerCase();
    const states = query.states?.map((state) => VEHICLE_STATES.indexOf(state));
    const isWithin = query.groups && fleet.groups.within(query.groups);
    const rows: number[] = [];
    for (const row of this.names.rows(query.locales)) {
      if (!fleet.isShown(row)) continue;
      if (wanted && !fleet.matches(row, wanted)) continue;
      if (states && !states.includes(fleet.stateCode(row, clock))) continue;
      if (isWithin && !isWithin(row)) continue;
      rows.push(row);
    }
    this.rows = this.ordered(rows, query.sort, clock);
    this.chosenFrom = { version: fleet.catalogueVersion, count: fleet.count };
  }

  /** Puts the rows below the heads of their groups, where the list stands by these. */
  private group({ turned, groups: only, search }: ListQuery, clock: number, again: boolean): void {
    const { fleet, rows } = this;
    const key = JSON.stringify(turned);
    if (!again && key === this.grouped) return;
    this.grouped = key;
    if (turned === null || !fleet.groups.known) {
      this.entries = turned === null ? rows : [];
      this.heads = [];
      return;
    }
    // What a search finds is looked at, not only counted.
    const usuallyOpen = search.trim() !== '';
    const isOpen = (id: string) => turned.includes(id) !== usuallyOpen;
    const stateCode = (row: number) => fleet.stateCode(row, clock);
    const { entries, heads } = groupedRows({ groups: fleet.groups, rows, only, isOpen, stateCode });
    this.entries = entries;
    this.heads = heads;
  }

  /** Orders rows that stand by name: of those that are alike in what counts, none passes another. */
  private ordered(rows: readonly number[], sort: ListSort, clock: number): number[] {
    const { fleet } = this;
    const ranks = sort === 'state' ? URGENCY : ALARMS_FIRST;
    const ranked = VEHICLE_STATES.map((): number[] => []);
    for (const row of rows) ranked[ranks[fleet.stateCode(row, clock)] ?? 0]?.push(row);
    const age = (row: number) => (fleet.isLocated(row) ? clock - (fleet.recordedAt[row] ?? 0) : Number.MAX_VALUE);
    const parts = sort === 'recent' ? ranked.map((part) => sortedBy(part, age)) : ranked;
    return new Array<number>().concat(...parts);
  }

  /** The part that is looked at, with the devices that have changed; null when nothing has and nobody asked. */
  report(clock: number, asked: boolean): ListReport | null {
    const { query, fleet } = this;
    if (!query) return null;
    const { first, count } = query;
    const ids: string[] = [];
    const heads: [number, GroupHead][] = [];
    const devices: LiveDevice[] = [];
    const sent = new Map<string, string>();
    for (const row of this.entries.slice(first, first + count)) {
      const head = this.heads[headIn(row) ?? -1];
      if (head) {
        heads.push([first + ids.length, head]);
        ids.push('');
        continue;
      }
      const id = fleet.ids[row] ?? '';
      const version = `${row} ${fleet.version[row]} ${fleet.stateCode(row, clock)}`;
      ids.push(id);
      if (this.sentVersions.get(id) !== version && !sent.has(id)) devices.push(fleet.device(row, clock));
      sent.set(id, version);
    }
    const complete = fleet.complete && (fleet.groups.known || (query.groups === null && query.turned === null));
    const total = this.entries.length;
    const summary = `${total} ${fleet.count} ${complete} ${first} ${ids.join()} ${JSON.stringify(heads)}`;
    const isNew = asked || summary !== this.summary || devices.length > 0;
    this.sentVersions = sent;
    this.summary = summary;
    if (!isNew) return null;
    const list: ListReport = { total, fleetSize: fleet.count, complete, first, ids, devices };
    return query.turned === null ? list : { ...list, heads };
  }

  /** The place of a device in the list, or -1. */
  indexOf(id: string): number {
    const row = this.fleet.row(id);
    return row === undefined ? -1 : this.entries.indexOf(row);
  }
}

/** Grows whenever devices are in other groups, while these count. */
const groupsVersion = ({ groups }: Fleet, query: ListQuery) =>
  query.groups === null && query.turned === null ? null : groups.version;

/** What needs somebody's eyes comes first, by the place in `VEHICLE_STATES`. */
const URGENCY = VEHICLE_STATES.map((state) =>
  ['alarm', 'moving', 'idle', 'parked', 'offline', 'no_data'].indexOf(state),
);
/** What nobody has seen to comes first, in whatever order. */
const ALARMS_FIRST = VEHICLE_STATES.map((state) => (state === 'alarm' ? 0 : 1));
