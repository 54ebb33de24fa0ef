import { isElsewhere, type GivenMark } from '@/lib/fixMarks';
import { unitX, unitY } from '@/lib/mercator';

/** What a vehicle did at a fix, by its number in the contract. */
export const MOTIONS = ['unspecified', 'moving', 'idle', 'parked'] as const;

/** An alarm, and at which fix. */
export interface TrackAlarm {
  index: number;
  alarm: string;
}

/** A fix that cannot be believed, and where it was reported. */
export interface DoubtedFix {
  index: number;
  mark: GivenMark;
  /** Degrees. */
  lat: number;
  lng: number;
}

/** The fixes of a vehicle in the order of time, as columns: place i of each belongs to fix i. NaN is what was not told. */
export interface Track {
  /** Milliseconds since 1970. */
  time: Float64Array;
  /** Degrees. Of a jump, or where the receiver had no fix, those of the fix before it: it is nowhere on the way. */
  lat: Float64Array;
  lng: Float64Array;
  /** The same place in Mercator's unit square. */
  x: Float64Array;
  y: Float64Array;
  /** km/h. */
  speed: Float32Array;
  /** Degrees clockwise from north. */
  course: Float32Array;
  fuelLitres: Float32Array;
  fuelPercent: Float32Array;
  battery: Float32Array;
  /** Places of `MOTIONS`. */
  motion: Uint8Array;
  /** 0 off, 1 on, 2 not known. */
  ignition: Uint8Array;
  /** 1 of a fix behind which nothing is known until the next one: no line is drawn, and nothing moves. */
  gapAfter: Uint8Array;
  alarms: TrackAlarm[];
  /** Those that cannot be believed, in the order of time. */
  doubted: DoubtedFix[];
}

/** Where a vehicle is at an instant, between fixes too. */
export interface TrackPlace {
  lat: number;
  lng: number;
  /** Degrees clockwise from north; NaN when it is not known. */
  course: number;
  /** The last fix until then. */
  index: number;
}

/** An empty track of so many fixes, to be filled. */
export function newTrack(length: number): Track {
  const unknown = () => new Float32Array(length).fill(NaN);
  return {
    time: new Float64Array(length),
    lat: new Float64Array(length),
    lng: new Float64Array(length),
    x: new Float64Array(length),
    y: new Float64Array(length),
    speed: unknown(),
    course: unknown(),
    fuelLitres: unknown(),
    fuelPercent: unknown(),
    battery: unknown(),
    motion: new Uint8Array(length),
    ignition: new Uint8Array(length).fill(2),
    gapAfter: new Uint8Array(length),
    alarms: [],
    doubted: [],
  };
}

/** The last fix at or before an instant; -1 before the first. */
export function indexAt({ time }: Track, instant: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((time[middle] ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where the vehicle was at an instant: at its first fix before it, and between two fixes on the way from one to the other. */
export function placeAt(track: Track, instant: number): TrackPlace | null {
  const length = track.time.length;
  if (length === 0) return null;
  const index = Math.max(0, indexAt(track, instant));
  const at = (column: Float64Array | Float32Array, place: number) => column[place] ?? NaN;
  const [lat, lng, from] = [at(track.lat, index), at(track.lng, index), at(track.time, index)];
  const next = index + 1;
  const course = courseFrom(track, index);
  const until = next < length ? at(track.time, next) : from;
  if (instant <= from || until - from <= 0 || track.gapAfter[index]) return { lat, lng, course, index };
  const part = Math.min(1, (instant - from) / (until - from));
  return {
    lat: lat + (at(track.lat, next) - lat) * part,
    lng: lng + lngStep(lng, at(track.lng, next)) * part,
    course,
    index,
  };
}

/** The shorter way around the earth, in degrees. */
const lngStep = (from: number, to: number) => ((((to - from + 540) % 360) + 360) % 360) - 180;

/** What the fix says, or else the direction to the next one. */
function courseFrom(track: Track, index: number): number {
  const reported = track.course[index] ?? NaN;
  if (!Number.isNaN(reported)) return reported;
  const [dx, dy] = [
    (track.x[index + 1] ?? NaN) - (track.x[index] ?? NaN),
    (track.y[index + 1] ?? NaN) - (track.y[index] ?? NaN),
  ];
  return dx === 0 && dy === 0 ? NaN : ((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
}

/**
 * Has a vehicle stay where it was while its fixes jump or are `invalid`; before all others, where the first one is that does
 * not.
 */
export function settleJumps({ lat, lng, doubted }: Track, invalid: readonly number[] = []): void {
  const jumps = new Set([...invalid, ...doubted.filter(isElsewhere).map(({ index }) => index)]);
  if (jumps.size === 0) return;
  let known = lat.findIndex((_, index) => !jumps.has(index));
  if (known < 0) return;
  for (let index = 0; index < lat.length; index++) {
    if (!jumps.has(index)) known = index;
    else [lat[index], lng[index]] = [lat[known] ?? NaN, lng[known] ?? NaN];
  }
}

/** Fills in the places of the unit square. */
export function project(track: Track): void {
  for (let index = 0; index < track.time.length; index++) {
    track.x[index] = unitX(track.lng[index] ?? 0);
    track.y[index] = unitY(track.lat[index] ?? 0);
  }
}
