import { VEHICLE_STATES, type VehicleState } from '../vehicleState';
import type { Fleet } from './fleet';

const ALL_STATES = (1 << VEHICLE_STATES.length) - 1;

/** Which vehicles are on the map: those in use, in the chosen states, that the search finds. The selected one always is. */
export class MapFilter {
  private states = ALL_STATES;
  private search = '';
  /** This vehicle is on the map whatever is filtered. */
  selected: string | null = null;
  /** 1 for each row that the search finds: every frame asks for all of them. */
  private found = new Uint8Array(0);
  private foundIn = { search: '', catalogue: -1 };

  private readonly fleet: Fleet;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  /** Only these states, and what this search finds; null and '' for all. */
  set(states: VehicleState[] | null, search: string): void {
    this.states = states ? states.reduce((bits, state) => bits | (1 << VEHICLE_STATES.indexOf(state)), 0) : ALL_STATES;
    this.search = search.trim().toLowerCase();
  }

  /** Calls back with each row on the map that has reported, and its state. `clock` is the time of day. */
  forEach(clock: number, each: (row: number, state: number) => void): void {
    const { fleet, search, states } = this;
    this.find();
    const selectedRow = this.selected === null ? undefined : fleet.row(this.selected);
    for (let row = 0; row < fleet.size; row++) {
      if (!fleet.isLocated(row)) continue;
      const state = fleet.stateCode(row, clock);
      const wanted = fleet.isShown(row) && (states & (1 << state)) !== 0 && (search === '' || this.found[row] === 1);
      if (wanted || row === selectedRow) each(row, state);
    }
  }

  private find(): void {
    const { fleet, search, foundIn } = this;
    if (search === '' || (foundIn.search === search && foundIn.catalogue === fleet.catalogueVersion)) return;
    this.foundIn = { search, catalogue: fleet.catalogueVersion };
    if (this.found.length < fleet.size) this.found = new Uint8Array(fleet.size * 2);
    for (let row = 0; row < fleet.size; row++) this.found[row] = fleet.matches(row, search) ? 1 : 0;
  }
}
