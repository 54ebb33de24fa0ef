import { VEHICLE_STATES, type VehicleState } from '../vehicleState';
import type { Fleet } from './fleet';

const ALL_STATES = (1 << VEHICLE_STATES.length) - 1;

/** Rows of the fleet, and the states of their vehicles; the columns hold `count` of them. */
export interface OnMap {
  readonly count: number;
  readonly rows: Int32Array;
  readonly states: Uint8Array;
}

/** Which vehicles are on the map: those in use, in the states and groups that are asked for, that the search finds; and the chosen ones. */
export class MapFilter {
  private states = ALL_STATES;
  private search = '';
  private groups: string[] | null = null;
  /** These vehicles are on the map whatever is filtered. */
  chosen: readonly string[] = [];
  /** 1 for each row that the search finds in the groups: every frame asks for all of them. */
  private found = new Uint8Array(0);
  private foundIn = '';
  private readonly collected = { count: 0, rows: new Int32Array(0), states: new Uint8Array(0) };

  private readonly fleet: Fleet;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  /** Only these states and groups, and what this search finds; null and '' for all. */
  set(states: VehicleState[] | null, search: string, groups: string[] | null = null): void {
    this.states = states ? states.reduce((bits, state) => bits | (1 << VEHICLE_STATES.indexOf(state)), 0) : ALL_STATES;
    this.search = search.trim().toLowerCase();
    this.groups = groups;
  }

  /** The rows on the map that have reported. `clock` is the time of day. The next call writes over it. */
  onMap(clock: number): OnMap {
    const { fleet, states, collected } = this;
    if (collected.rows.length < fleet.size) {
      collected.rows = new Int32Array(fleet.size * 2);
      collected.states = new Uint8Array(fleet.size * 2);
    }
    const isNarrowed = this.search !== '' || this.groups !== null;
    if (isNarrowed) this.find();
    const chosen = fleet.rowsOf(this.chosen);
    let count = 0;
    for (let row = 0; row < fleet.size; row++) {
      if (!fleet.isLocated(row)) continue;
      const state = fleet.stateCode(row, clock);
      const wanted = fleet.isShown(row) && (states & (1 << state)) !== 0 && (!isNarrowed || this.found[row] === 1);
      if (!wanted && !chosen.has(row)) continue;
      collected.rows[count] = row;
      collected.states[count] = state;
      count += 1;
    }
    collected.count = count;
    return collected;
  }

  /** Calls back with each row on the map that has reported, and its state. `clock` is the time of day. */
  forEach(clock: number, each: (row: number, state: number) => void): void {
    const { rows, states, count } = this.onMap(clock);
    for (let index = 0; index < count; index++) each(rows[index] ?? 0, states[index] ?? 0);
  }

  private find(): void {
    const { fleet, search, groups } = this;
    const foundIn = JSON.stringify([search, groups, fleet.catalogueVersion, fleet.groups.version]);
    if (foundIn === this.foundIn) return;
    this.foundIn = foundIn;
    if (this.found.length < fleet.size) this.found = new Uint8Array(fleet.size * 2);
    const isWithin = groups === null ? () => true : fleet.groups.within(groups);
    for (let row = 0; row < fleet.size; row++) this.found[row] = fleet.matches(row, search) && isWithin(row) ? 1 : 0;
  }
}
