import type { LiveDevice } from '../liveDevice';
import type { ListQuery, ListReport } from '../protocol';
import { STATE_CODES, VEHICLE_STATES } from '../vehicleState';
import type { Fleet } from './fleet';

/** The rows of the fleet in the order and choice of a list. It is only put in order anew when somebody asks. */
export class Roster {
  private query: ListQuery | null = null;
  private rows: number[] = [];
  private arranged = { key: '', catalogue: -1 };
  /** Versions and states of the rows that were reported last, by device. */
  private sentVersions = new Map<string, string>();
  private summary = '';

  private readonly fleet: Fleet;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  /** Another list is looked at, or another part of it. */
  ask(query: ListQuery | null): void {
    this.query = query;
    if (!query) this.sentVersions.clear();
  }

  /** Forgets what was reported. */
  clear(): void {
    this.arranged = { key: '', catalogue: -1 };
    this.sentVersions.clear();
  }

  /** Whether rows enter and leave the list as vehicles change. */
  get followsStates(): boolean {
    return this.query?.states != null;
  }

  /** Ids of the devices in the part that is looked at. */
  ids(): string[] {
    if (!this.query) return [];
    const { first, count } = this.query;
    return this.rows.slice(first, first + count).map((row) => this.fleet.ids[row] ?? '');
  }

  /** Chooses and orders the rows when the question or the catalogue is another one, or when `again`. */
  arrange(clock: number, again: boolean): void {
    const { query, fleet } = this;
    if (!query) return;
    const key = JSON.stringify([query.search, query.states, query.sort, query.locales, query.asked]);
    if (!again && key === this.arranged.key && fleet.catalogueVersion === this.arranged.catalogue) return;
    this.arranged = { key, catalogue: fleet.catalogueVersion };
    const wanted = query.search.trim().toLowerCase();
    const states = query.states?.map((state) => VEHICLE_STATES.indexOf(state));
    const rows: number[] = [];
    for (let row = 0; row < fleet.size; row++) {
      if (!fleet.isShown(row)) continue;
      if (wanted && !fleet.matches(row, wanted)) continue;
      if (states && !states.includes(fleet.stateCode(row, clock))) continue;
      rows.push(row);
    }
    this.rows = this.ordered(rows, query, clock);
  }

  private ordered(rows: number[], query: ListQuery, clock: number): number[] {
    const { fleet } = this;
    const { compare } = new Intl.Collator(query.locales, { numeric: true, sensitivity: 'base' });
    // What nobody has seen to comes first, in whatever order.
    const alarmed = new Uint8Array(fleet.size);
    for (const row of rows) alarmed[row] = fleet.stateCode(row, clock) === STATE_CODES.alarm ? 1 : 0;
    const byAlarm = (a: number, b: number) => (alarmed[b] ?? 0) - (alarmed[a] ?? 0);
    const byName = (a: number, b: number) =>
      byAlarm(a, b) || compare(fleet.names[a] ?? '', fleet.names[b] ?? '') || a - b;
    if (query.sort === 'name') return rows.sort(byName);
    const key = new Float64Array(fleet.size);
    for (const row of rows) {
      const age = fleet.isLocated(row) ? clock - (fleet.recordedAt[row] ?? 0) : Number.MAX_VALUE;
      key[row] = query.sort === 'recent' ? age : (URGENCY[fleet.stateCode(row, clock)] ?? 0);
    }
    return rows.sort((a, b) => byAlarm(a, b) || (key[a] ?? 0) - (key[b] ?? 0) || byName(a, b));
  }

  /** The part that is looked at, with the devices that have changed; null when nothing has and nobody asked. */
  report(clock: number, asked: boolean): ListReport | null {
    const { query, fleet } = this;
    if (!query) return null;
    const { first, count } = query;
    const ids: string[] = [];
    const devices: LiveDevice[] = [];
    const sent = new Map<string, string>();
    for (const row of this.rows.slice(first, first + count)) {
      const id = fleet.ids[row] ?? '';
      const version = `${row} ${fleet.version[row]} ${fleet.stateCode(row, clock)}`;
      ids.push(id);
      sent.set(id, version);
      if (this.sentVersions.get(id) !== version) devices.push(fleet.device(row, clock));
    }
    const summary = `${this.rows.length} ${fleet.count} ${fleet.complete} ${first} ${ids.join()}`;
    const isNew = asked || summary !== this.summary || devices.length > 0;
    this.sentVersions = sent;
    this.summary = summary;
    if (!isNew) return null;
    return { total: this.rows.length, fleetSize: fleet.count, complete: fleet.complete, first, ids, devices };
  }

  /** The place of a device in the list, or -1. */
  indexOf(id: string): number {
    const row = this.fleet.row(id);
    return row === undefined ? -1 : this.rows.indexOf(row);
  }
}

/** What needs somebody's eyes comes first, by the place in `VEHICLE_STATES`. */
const URGENCY = VEHICLE_STATES.map((state) =>
  ['alarm', 'moving', 'idle', 'parked', 'offline', 'no_data'].indexOf(state),
);
