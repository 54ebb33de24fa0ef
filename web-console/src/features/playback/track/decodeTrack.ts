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

/** The columns as they come: those of messages that follow each other belong together. */
interface Columns {
  recordedAt: Reader[];
  lat: Reader[];
  lng: Reader[];
  present: number[][];
  speed: Reader[];
  course: Reader[];
  fuelLitres: Reader[];
  fuelPercent: Reader[];
  battery: Reader[];
  alarm: string[];
  complete: boolean;
}

/** A body that ended before the track did. */
export class IncompleteTrack extends Error {}

/** Reads `TrackColumns`, as many as follow each other; throws when the body is none or not whole. */
export function decodeTrack(bytes: Uint8Array): Track {
  const columns = columnsIn(new Reader(bytes));
  if (!columns.complete) throw new IncompleteTrack('a track ended early');
  const present = columns.present.flat();
  const track = newTrack(present.length);
  sumInto(track.time, columns.recordedAt, 1);
  sumInto(track.lat, columns.lat, 1e7);
  sumInto(track.lng, columns.lng, 1e7);
  valuesInto(track.speed, present, PRESENT.speed, columns.speed, 10);
  valuesInto(track.course, present, PRESENT.course, columns.course, 10);
  valuesInto(track.fuelLitres, present, PRESENT.fuelLitres, columns.fuelLitres, 10);
  valuesInto(track.fuelPercent, present, PRESENT.fuelPercent, columns.fuelPercent, 1);
  valuesInto(track.battery, present, PRESENT.battery, columns.battery, 1);
  let alarms = 0;
  for (let index = 0; index < present.length; index++) {
    const bits = present[index] ?? 0;
    track.motion[index] = bits & PRESENT.motion;
    if (bits & PRESENT.ignitionKnown) track.ignition[index] = bits & PRESENT.ignitionOn ? 1 : 0;
    if (bits & PRESENT.alarm) track.alarms.push({ index, alarm: columns.alarm[alarms++] ?? '' });
    doubt(track, index, (bits >>> MARK_SHIFT) & 7);
  }
  settleJumps(track);
  project(track);
  return track;
}

/** Takes note of a fix that cannot be believed, whose speed is none. */
function doubt(track: Track, index: number, number: number): void {
  const mark = FIX_MARKS[number - 1];
  if (!mark) return;
  track.doubted.push({ index, mark, lat: track.lat[index] ?? NaN, lng: track.lng[index] ?? NaN });
  track.speed[index] = NaN;
}

function columnsIn(reader: Reader): Columns {
  const into: Columns = {
    recordedAt: [],
    lat: [],
    lng: [],
    present: [],
    speed: [],
    course: [],
    fuelLitres: [],
    fuelPercent: [],
    battery: [],
    alarm: [],
    complete: false,
  };
  reader.fields((field, wire) => {
    if (field === 1) into.recordedAt.push(reader.nested());
    else if (field === 2) into.lat.push(reader.nested());
    else if (field === 3) into.lng.push(reader.nested());
    else if (field === 4) into.present.push(reader.nested().uints());
    else if (field === 5) into.speed.push(reader.nested());
    else if (field === 6) into.course.push(reader.nested());
    else if (field === 7) into.fuelLitres.push(reader.nested());
    else if (field === 8) into.fuelPercent.push(reader.nested());
    else if (field === 9) into.battery.push(reader.nested());
    else if (field === 10) into.alarm.push(reader.text());
    else if (field === 11) into.complete = reader.uint() !== 0;
    else reader.skip(wire);
  });
  return into;
}

/** Differences, each to the value before it. */
function sumInto(target: Float64Array, pieces: Reader[], scale: number): void {
  let place = 0;
  let sum = 0;
  for (const piece of pieces) {
    while (piece.more) {
      sum += piece.sint();
      target[place++] = sum / scale;
    }
  }
}

/** Values of the fixes that have one. */
function valuesInto(target: Float32Array, present: number[], bit: number, pieces: Reader[], scale: number): void {
  let piece = 0;
  for (let index = 0; index < present.length; index++) {
    if (((present[index] ?? 0) & bit) === 0) continue;
    while (pieces[piece]?.more === false) piece += 1;
    target[index] = (pieces[piece]?.uint() ?? NaN) / scale;
  }
}
