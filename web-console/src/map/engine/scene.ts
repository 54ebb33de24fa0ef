import { OFFLINE_AFTER_MS, VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';
import { metresBetween, unitX, unitY } from './mercator';
import { SNAP_METRES, bearing, glideDuration, headingBetween, progress } from './motion';

/** What the map is told of a vehicle. */
export interface VehicleFix {
  id: string;
  lat: number;
  lng: number;
  /** Degrees clockwise from north; null when unknown. */
  heading: number | null;
  recordedAt: number;
  /** What the vehicle did at the time of the fix. */
  state: VehicleState;
}

/** Where a vehicle is drawn at a moment. */
export interface Placement {
  x: number;
  y: number;
  heading: number;
}

const CODE = Object.fromEntries(VEHICLE_STATES.map((state, code) => [state, code])) as Record<VehicleState, number>;
/** The code of the offline state. */
export const OFFLINE_CODE = CODE.offline;
/** The code of the alarm state. */
export const ALARM_CODE = CODE.alarm;

/** All vehicles of the map, as columns: ten thousands of them are walked through in every frame. */
export class Scene {
  readonly ids: string[] = [];
  private rows = new Map<string, number>();
  private fromX = new Float64Array(64);
  private fromY = new Float64Array(64);
  private toX = new Float64Array(64);
  private toY = new Float64Array(64);
  private start = new Float64Array(64);
  private duration = new Float64Array(64);
  private recordedAt = new Float64Array(64);
  private fromHeading = new Float32Array(64);
  private toHeading = new Float32Array(64);
  private state = new Uint8Array(64);

  /** How many vehicles there are. */
  get size(): number {
    return this.ids.length;
  }

  /** The row of a vehicle. */
  row(id: string): number | undefined {
    return this.rows.get(id);
  }

  /** Takes a fix in: the vehicle glides from where it is drawn now, unless that is too far. */
  update(fix: VehicleFix, now: number): void {
    const x = unitX(fix.lng);
    const y = unitY(fix.lat);
    let row = this.rows.get(fix.id);
    if (row === undefined) {
      row = this.add(fix.id);
      this.put(row, x, y, fix.heading ?? 0);
    } else if (fix.recordedAt > (this.recordedAt[row] ?? 0)) {
      this.glide(row, x, y, fix, now);
    }
    this.recordedAt[row] = fix.recordedAt;
    this.state[row] = CODE[fix.state];
  }

  /** Forgets every vehicle. */
  clear(): void {
    this.ids.length = 0;
    this.rows.clear();
  }

  /** Where to draw the vehicle of a row; `out` is filled, so that a frame makes no garbage. */
  place(row: number, now: number, out: Placement): void {
    const part = progress(this.start[row] ?? 0, this.duration[row] ?? 0, now);
    const fromX = this.fromX[row] ?? 0;
    const fromY = this.fromY[row] ?? 0;
    out.x = fromX + ((this.toX[row] ?? 0) - fromX) * part;
    out.y = fromY + ((this.toY[row] ?? 0) - fromY) * part;
    // A vehicle turns faster than it drives, else it would slide around corners.
    out.heading = headingBetween(this.fromHeading[row] ?? 0, this.toHeading[row] ?? 0, Math.min(1, part * 4));
  }

  /** Whether the vehicle of a row is on its way to its newest fix. */
  isGliding(row: number, now: number): boolean {
    return now < (this.start[row] ?? 0) + (this.duration[row] ?? 0);
  }

  /** The state to show, by its place in `VEHICLE_STATES`. `clock` is the time of day, not of the frame. */
  stateCode(row: number, clock: number): number {
    if (clock - (this.recordedAt[row] ?? 0) > OFFLINE_AFTER_MS) return OFFLINE_CODE;
    return this.state[row] ?? OFFLINE_CODE;
  }

  private glide(row: number, x: number, y: number, fix: VehicleFix, now: number): void {
    const at: Placement = { x: 0, y: 0, heading: 0 };
    this.place(row, now, at);
    const metres = metresBetween(at.x, at.y, x, y);
    const heading = fix.heading ?? (metres > 5 ? bearing(at.x, at.y, x, y) : at.heading);
    if (metres > SNAP_METRES) return this.put(row, x, y, heading);
    this.fromX[row] = at.x;
    this.fromY[row] = at.y;
    this.fromHeading[row] = at.heading;
    this.toX[row] = x;
    this.toY[row] = y;
    this.toHeading[row] = heading;
    this.start[row] = now;
    this.duration[row] = glideDuration(this.recordedAt[row] ?? 0, fix.recordedAt);
  }

  private put(row: number, x: number, y: number, heading: number): void {
    this.fromX[row] = this.toX[row] = x;
    this.fromY[row] = this.toY[row] = y;
    this.fromHeading[row] = this.toHeading[row] = heading;
    this.duration[row] = 0;
  }

  private add(id: string): number {
    const row = this.ids.length;
    if (row === this.state.length) this.grow(row * 2);
    this.ids.push(id);
    this.rows.set(id, row);
    return row;
  }

  private grow(size: number): void {
    const doubles = (old: Float64Array) => {
      const column = new Float64Array(size);
      column.set(old);
      return column;
    };
    const floats = (old: Float32Array) => {
      const column = new Float32Array(size);
      column.set(old);
      return column;
    };
    this.fromX = doubles(this.fromX);
    this.fromY = doubles(this.fromY);
    this.toX = doubles(this.toX);
    this.toY = doubles(this.toY);
    this.start = doubles(this.start);
    this.duration = doubles(this.duration);
    this.recordedAt = doubles(this.recordedAt);
    this.fromHeading = floats(this.fromHeading);
    this.toHeading = floats(this.toHeading);
    const state = new Uint8Array(size);
    state.set(this.state);
    this.state = state;
  }
}
