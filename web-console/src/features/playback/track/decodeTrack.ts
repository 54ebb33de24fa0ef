import { FIX_MARKS } from '@/lib/fixMarks';
import { Reader } from '@/lib/protobuf';
import { newTrack, project, settleJumps, type Track } from './track';

/** Bits of `present`: `TrackColumns` in `proto/armada/v1/position.proto`. */
const PRESENT = {
  motion: 3,
  valid: 1 << 2,
  ignitionKnown: 1 << 3,
  ignitionOn: 1 << 4,
  speed: 1 << 8,
  course: 1 << 9,
  fuelLitres: 1 << 10,
  fuelPercent: 1 << 11,
  battery: 1 << 12,
  alarm: 1 << 13,
} as const;
/** The number of a mark stands in three bits from here on. */
const MARK_SHIFT = 14;

/** Numbers, however many come. */
class Column {
  private values = new Float64Array(1 << 14);
  private length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const more = new Float64Array(2 * this.length);
      more.set(this.values);
      this.values = more;
    }
    this.values[this.length++] = value;
  }

  /** All that came. */
  get all(): Float64Array {
    return this.values.subarray(0, this.length);
  }

  /** The last one; nothing before it is 0. */
  get last(): number {
    return this.length === 0 ? 0 : (this.values[this.length - 1] ?? 0);
  }
}

/** A body that ended before the track did. */
export class IncompleteTrack extends Error {}

/** Reads `TrackColumns`, as many as follow each other; throws when the body is none or not whole. */
export function decodeTrack(bytes: Uint8Array): Track {
  const reader = new TrackReader();
  reader.push(bytes);
  return reader.end();
}

/** The same of a body that comes in parts: what is there is read while the rest is on its way. */
export class TrackReader {
  /** Of a field that has not come as a whole. */
  private rest: Uint8Array = new Uint8Array();
  private readonly time = new Column();
  /** 1e-7 degrees. */
  private readonly lat = new Column();
  private readonly lng = new Column();
  private readonly present = new Column();
  /** Of these only the values that there are, as they were sent. */
  private readonly speed = new Column();
  private readonly course = new Column();
  private readonly fuelLitres = new Column();
  private readonly fuelPercent = new Column();
  private readonly battery = new Column();
  private readonly alarm: string[] = [];
  private complete = false;

  /** The next part. */
  push(part: Uint8Array): void {
    const reader = new Reader(joined(this.rest, part));
    while (reader.hasField) reader.field((field, wire) => this.read(reader, field, wire));
    this.rest = reader.rest.slice();
  }

  /** There are no more. */
  end(): Track {
    if (this.rest.length > 0) throw new RangeError('a track ends within a field');
    if (!this.complete) throw new IncompleteTrack('a track ended early');
    const present = this.present.all;
    const track = newTrack(present.length);
    track.time.set(this.time.all);
    inUnits(track.lat, this.lat.all, 1e7);
    inUnits(track.lng, this.lng.all, 1e7);
    valuesInto(track.speed, present, PRESENT.speed, this.speed.all, 10);
    valuesInto(track.course, present, PRESENT.course, this.course.all, 10);
    valuesInto(track.fuelLitres, present, PRESENT.fuelLitres, this.fuelLitres.all, 10);
    valuesInto(track.fuelPercent, present, PRESENT.fuelPercent, this.fuelPercent.all, 1);
    valuesInto(track.battery, present, PRESENT.battery, this.battery.all, 1);
    let alarms = 0;
    const invalid: number[] = [];
    for (let index = 0; index < present.length; index++) {
      const bits = present[index] ?? 0;
      track.motion[index] = bits & PRESENT.motion;
      if (bits & PRESENT.ignitionKnown) track.ignition[index] = bits & PRESENT.ignitionOn ? 1 : 0;
      if (bits & PRESENT.alarm) track.alarms.push({ index, alarm: this.alarm[alarms++] ?? '' });
      if (!(bits & PRESENT.valid)) invalid.push(index);
      doubt(track, index, (bits >>> MARK_SHIFT) & 7);
    }
    settleJumps(track, invalid);
    project(track);
    return track;
  }

  private read(reader: Reader, field: number, wire: number): void {
    if (field === 1) sumInto(this.time, reader.nested());
    else if (field === 2) sumInto(this.lat, reader.nested());
    else if (field === 3) sumInto(this.lng, reader.nested());
    else if (field === 4) numbersInto(this.present, reader.nested());
    else if (field === 5) numbersInto(this.speed, reader.nested());
    else if (field === 6) numbersInto(this.course, reader.nested());
    else if (field === 7) numbersInto(this.fuelLitres, reader.nested());
    else if (field === 8) numbersInto(this.fuelPercent, reader.nested());
    else if (field === 9) numbersInto(this.battery, reader.nested());
    else if (field === 10) this.alarm.push(reader.text());
    else if (field === 11) this.complete = reader.uint() !== 0;
    else reader.skip(wire);
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (before.length === 0) return after;
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}

/** Takes note of a fix that cannot be believed, whose speed is none. */
function doubt(track: Track, index: number, number: number): void {
  const mark = FIX_MARKS[number - 1];
  if (!mark) return;
  track.doubted.push({ index, mark, lat: track.lat[index] ?? NaN, lng: track.lng[index] ?? NaN });
  track.speed[index] = NaN;
}

/** Differences, each to the value before it; the first of a piece to the last of the piece before. */
function sumInto(column: Column, piece: Reader): void {
  let sum = column.last;
  while (piece.more) {
    sum += piece.sint();
    column.push(sum);
  }
}

function numbersInto(column: Column, piece: Reader): void {
  while (piece.more) column.push(piece.uint());
}

function inUnits(target: Float64Array, values: Float64Array, scale: number): void {
  for (let index = 0; index < target.length; index++) target[index] = (values[index] ?? NaN) / scale;
}

/** Values of the fixes that have one. */
function valuesInto(
  target: Float32Array,
  present: Float64Array,
  bit: number,
  values: Float64Array,
  scale: number,
): void {
  let next = 0;
  for (let index = 0; index < present.length; index++) {
    if ((present[index] ?? 0) & bit) target[index] = (values[next++] ?? NaN) / scale;
  }
}
