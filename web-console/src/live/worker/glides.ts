import { metresBetween, unitX, unitY } from '@/lib/mercator';
import { SNAP_METRES, bearing, glideDuration, headingBetween, progress } from '../motion';
import { growColumns } from './growColumns';

/** Where a vehicle is drawn at a moment, in the unit square of Mercator. */
export interface Placement {
  x: number;
  y: number;
  heading: number;
}

/** The way that a vehicle is drawn along until its newest fix. */
export interface Glide {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  /** In the time of `performance.now()` here. */
  start: number;
  duration: number;
}

/** What of a fix decides where its vehicle is drawn, in the units of the columns. */
interface GlideTarget {
  recordedAt: number;
  lat: number;
  lng: number;
  /** `NaN` when it is not known. */
  course: number;
}

/** A vehicle has turned after this part of its way. */
const TURNED_IN = 4;

/** Where vehicles are drawn on their way from fix to fix, as columns by the rows of the fleet. */
export class Glides {
  private fromX: Float64Array;
  private fromY: Float64Array;
  private toX: Float64Array;
  private toY: Float64Array;
  private start: Float64Array;
  private duration: Float64Array;
  private fromHeading: Float32Array;
  private toHeading: Float32Array;

  constructor(capacity: number) {
    this.fromX = new Float64Array(capacity);
    this.fromY = new Float64Array(capacity);
    this.toX = new Float64Array(capacity);
    this.toY = new Float64Array(capacity);
    this.start = new Float64Array(capacity);
    this.duration = new Float64Array(capacity);
    this.fromHeading = new Float32Array(capacity);
    this.toHeading = new Float32Array(capacity);
  }

  /** Makes room for so many rows. */
  grow(size: number): void {
    growColumns(this, size);
  }

  /** The vehicle of a row is drawn where it is, for now. */
  stop(row: number): void {
    this.duration[row] = 0;
  }

  /** Begins the way to a fix; `before` is when the one before it was recorded, `NaN` without one. */
  moveTo(row: number, fix: GlideTarget, before: number, now: number): void {
    const x = unitX(fix.lng / 1e7);
    const y = unitY(fix.lat / 1e7);
    const course = Number.isNaN(fix.course) ? null : fix.course;
    if (Number.isNaN(before)) return this.put(row, x, y, course ?? 0);
    if (fix.recordedAt === before && x === this.toX[row] && y === this.toY[row]) return;
    const at: Placement = { x: 0, y: 0, heading: 0 };
    this.place(row, now, at);
    const metres = metresBetween(at.x, at.y, x, y);
    const heading = course ?? (metres > 5 ? bearing(at.x, at.y, x, y) : at.heading);
    if (metres > SNAP_METRES) return this.put(row, x, y, heading);
    this.fromX[row] = at.x;
    this.fromY[row] = at.y;
    this.fromHeading[row] = at.heading;
    this.toX[row] = x;
    this.toY[row] = y;
    this.toHeading[row] = heading;
    this.start[row] = now;
    this.duration[row] = metres < 0.5 && heading === at.heading ? 0 : glideDuration(before, fix.recordedAt);
  }

  private put(row: number, x: number, y: number, heading: number): void {
    this.fromX[row] = this.toX[row] = x;
    this.fromY[row] = this.toY[row] = y;
    this.fromHeading[row] = this.toHeading[row] = heading;
    this.duration[row] = 0;
  }

  /** Where to draw the vehicle of a row; `out` is filled, so that a frame makes no garbage. */
  place(row: number, now: number, out: Placement): void {
    const part = progress(this.start[row] ?? 0, this.duration[row] ?? 0, now);
    const fromX = this.fromX[row] ?? 0;
    const fromY = this.fromY[row] ?? 0;
    out.x = fromX + ((this.toX[row] ?? 0) - fromX) * part;
    out.y = fromY + ((this.toY[row] ?? 0) - fromY) * part;
    // A vehicle turns faster than it drives, else it would slide around corners.
    out.heading = headingBetween(this.fromHeading[row] ?? 0, this.toHeading[row] ?? 0, Math.min(1, part * TURNED_IN));
  }

  /** Where the newest fix of a row lies, from west to east in the unit square. */
  targetX(row: number): number {
    return this.toX[row] ?? 0;
  }

  /** The same from north to south. */
  targetY(row: number): number {
    return this.toY[row] ?? 0;
  }

  /** Whether the vehicle of a row is on its way to its newest fix. */
  isGliding(row: number, now: number): boolean {
    return now < (this.start[row] ?? 0) + (this.duration[row] ?? 0);
  }

  /** Whether it is also still turning. */
  isTurning(row: number, now: number): boolean {
    const turned = (this.start[row] ?? 0) + (this.duration[row] ?? 0) / TURNED_IN;
    return now < turned && this.fromHeading[row] !== this.toHeading[row];
  }

  /** How fast the vehicle of a row is drawn along, in unit squares a millisecond. */
  pace(row: number): number {
    const dx = (this.toX[row] ?? 0) - (this.fromX[row] ?? 0);
    const dy = (this.toY[row] ?? 0) - (this.fromY[row] ?? 0);
    return Math.hypot(dx, dy) / Math.max(1, this.duration[row] ?? 0);
  }

  /** The way that the vehicle of a row is drawn along. */
  glide(row: number): Glide {
    return {
      fromX: this.fromX[row] ?? 0,
      fromY: this.fromY[row] ?? 0,
      toX: this.toX[row] ?? 0,
      toY: this.toY[row] ?? 0,
      start: this.start[row] ?? 0,
      duration: this.duration[row] ?? 0,
    };
  }
}
