import { Reader } from '@/lib/protobuf';
import type { Ages, DayActivity, StandingAlarm } from '../position';

/** The subprotocol that the live socket speaks. `proto/armada/v1/live.proto` says what its messages mean. */
export const COLUMNS_PROTOCOL = 'armada.columns.v1';

/** `LiveCatalogue`. */
export interface Catalogue {
  reset: boolean;
  complete: boolean;
  index: number[];
  deviceId: string[];
  /** Of a device that has no IMEI, more than one can be. */
  imei: number[];
  /** What the devices without IMEI are known by, in their order. */
  id: string[];
  name: string[];
  vehicleCode: string[];
  driver: string[];
  iconType: number[];
  gone: number[];
  /** Of `index`, those of devices that are not in use. */
  inactive: number[];
  /** Of `index`, those of devices whose positions are old after another time than usual. */
  aged: number[];
  /** Of each of `aged`, the seconds after which its position is old. */
  staleSeconds: number[];
  /** Of each of `aged`, the seconds after which it is offline. */
  offlineSeconds: number[];
  /** Of `index`, those of devices of which alarms stand, once for each alarm. */
  alarmed: number[];
  /** Of each of `alarmed`, the kind of the alarm's events. */
  alarmKind: string[];
  /** Of each of `alarmed`, when the first of them happened, milliseconds since 1970. */
  alarmSince: number[];
}

/** `LivePositions`. The columns from `speed` on hold values only for rows that have their bit in `present`. */
export interface Positions {
  index: number[];
  /** Milliseconds since 1970. */
  recordedAt: number[];
  lat: Int32Array;
  lng: Int32Array;
  present: number[];
  speed: number[];
  course: number[];
  sat: number[];
  battery: number[];
  gsm: number[];
  fuel: number[];
  odometer: number[];
  motionSince: number[];
  alarm: string[];
  /** Seconds from `recordedAt`. */
  todayUntil: number[];
  /** Seconds, as the three after it. */
  todayEngine: number[];
  todayMoving: number[];
  todayIdle: number[];
  todayParked: number[];
  /** Metres. */
  todayDistance: number[];
  /** Tenths of litres. */
  litres: number[];
}

/** `LiveColumns`. */
export interface Columns {
  sequence: number;
  catalogue: Catalogue | null;
  positions: Positions | null;
  more: boolean;
}

/** Reads a message; throws when it is none. */
export function decodeColumns(bytes: Uint8Array): Columns {
  const columns: Columns = { sequence: 0, catalogue: null, positions: null, more: false };
  const reader = new Reader(bytes);
  reader.fields((field, wire) => {
    if (field === 1) columns.sequence = reader.uint();
    else if (field === 2) columns.catalogue = catalogueIn(reader.nested());
    else if (field === 3) columns.positions = positionsIn(reader.nested());
    else if (field === 4) columns.more = reader.uint() !== 0;
    else reader.skip(wire);
  });
  return columns;
}

function catalogueIn(reader: Reader): Catalogue {
  const into: Catalogue = {
    reset: false,
    complete: false,
    index: [],
    deviceId: [],
    imei: [],
    id: [],
    name: [],
    vehicleCode: [],
    driver: [],
    iconType: [],
    gone: [],
    inactive: [],
    aged: [],
    staleSeconds: [],
    offlineSeconds: [],
    alarmed: [],
    alarmKind: [],
    alarmSince: [],
  };
  reader.fields((field, wire) => {
    if (field === 1) into.reset = reader.uint() !== 0;
    else if (field === 2) into.complete = reader.uint() !== 0;
    else if (field === 3) into.index = reader.nested().uints();
    else if (field === 4) into.deviceId.push(reader.uuid());
    else if (field === 5) into.imei = reader.nested().fixed64s();
    else if (field === 6) into.name.push(reader.text());
    else if (field === 7) into.vehicleCode.push(reader.text());
    else if (field === 8) into.driver.push(reader.text());
    else if (field === 9) into.iconType = reader.nested().uints();
    else if (field === 11) into.gone = reader.nested().uints();
    else if (field === 12) into.inactive = reader.nested().uints();
    else if (field === 13) into.aged = reader.nested().uints();
    else if (field === 14) into.staleSeconds = reader.nested().uints();
    else if (field === 15) into.offlineSeconds = reader.nested().uints();
    else if (field === 20) into.alarmed = reader.nested().uints();
    else if (field === 21) into.alarmKind.push(reader.text());
    else if (field === 22) into.alarmSince = reader.nested().uints();
    else if (field === 23) into.id.push(reader.text());
    else reader.skip(wire);
  });
  return into;
}

function positionsIn(reader: Reader): Positions {
  const into: Positions = {
    index: [],
    recordedAt: [],
    lat: new Int32Array(),
    lng: new Int32Array(),
    present: [],
    speed: [],
    course: [],
    sat: [],
    battery: [],
    gsm: [],
    fuel: [],
    odometer: [],
    motionSince: [],
    alarm: [],
    todayUntil: [],
    todayEngine: [],
    todayMoving: [],
    todayIdle: [],
    todayParked: [],
    todayDistance: [],
    litres: [],
  };
  reader.fields((field, wire) => {
    if (field === 1) into.index = reader.nested().uints();
    else if (field === 2) into.recordedAt = sums(reader.nested().sints());
    else if (field === 3) into.lat = reader.nested().fixed32s();
    else if (field === 4) into.lng = reader.nested().fixed32s();
    else if (field === 5) into.present = reader.nested().uints();
    else if (field === 6) into.speed = reader.nested().uints();
    else if (field === 7) into.course = reader.nested().uints();
    else if (field === 8) into.sat = reader.nested().uints();
    else if (field === 9) into.battery = reader.nested().uints();
    else if (field === 10) into.gsm = reader.nested().uints();
    else if (field === 11) into.fuel = reader.nested().uints();
    else if (field === 12) into.odometer = reader.nested().uints();
    else if (field === 13) into.motionSince = reader.nested().uints();
    else if (field === 14) into.alarm.push(reader.text());
    else if (field === 50) into.todayUntil = reader.nested().uints();
    else if (field === 51) into.todayEngine = reader.nested().uints();
    else if (field === 52) into.todayMoving = reader.nested().uints();
    else if (field === 53) into.todayIdle = reader.nested().uints();
    else if (field === 54) into.todayParked = reader.nested().uints();
    else if (field === 55) into.todayDistance = reader.nested().uints();
    else if (field === 56) into.litres = reader.nested().uints();
    else reader.skip(wire);
  });
  return into;
}

/** Each the sum of all before it and itself. */
function sums(differences: number[]): number[] {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

/** Bits of `present`. */
export const PRESENT = {
  motion: 3,
  valid: 1 << 2,
  ignitionKnown: 1 << 3,
  ignitionOn: 1 << 4,
  chargeKnown: 1 << 5,
  charging: 1 << 6,
  speed: 1 << 8,
  course: 1 << 9,
  sat: 1 << 10,
  battery: 1 << 11,
  gsm: 1 << 12,
  fuel: 1 << 13,
  odometer: 1 << 14,
  motionSince: 1 << 15,
  alarm: 1 << 16,
  today: 1 << 17,
  litres: 1 << 18,
} as const;

/**
 * What a row says of the day of its fix, which ends at a whole second; `place` is that of its values in the columns of today.
 */
export function todayIn(columns: Positions, place: number, present: number, recordedAt: number): DayActivity {
  const value = (column: number[]) => column[place] ?? 0;
  return {
    until: 1_000 * Math.round(recordedAt / 1_000 + value(columns.todayUntil)),
    distance: value(columns.todayDistance),
    engine: present & PRESENT.ignitionKnown ? value(columns.todayEngine) : null,
    moving: value(columns.todayMoving),
    idle: value(columns.todayIdle),
    parked: value(columns.todayParked),
  };
}

/** Of the numbers of a catalogue those that are not the usual ones. */
export function agesIn({ aged, staleSeconds, offlineSeconds }: Catalogue): Map<number, Ages> {
  const seconds = (column: number[], place: number) => 1000 * (column[place] ?? 0);
  return new Map(
    aged.map((number, place) => [
      number,
      { staleAfterMs: seconds(staleSeconds, place), offlineAfterMs: seconds(offlineSeconds, place) },
    ]),
  );
}

/** An IMEI is smaller. */
const NO_IMEI = 1e15;

/** What each device of a catalogue is known by: its IMEI, or the next of the other identifiers. */
export function trackersIn({ imei, id }: Catalogue): string[] {
  let next = 0;
  return imei.map((number) => (number < NO_IMEI ? String(number).padStart(15, '0') : (id[next++] ?? '')));
}

/** The alarms that stand, by the numbers of a catalogue. */
export function alarmsIn({ alarmed, alarmKind, alarmSince }: Catalogue): Map<number, StandingAlarm[]> {
  const alarms = new Map<number, StandingAlarm[]>();
  alarmed.forEach((number, place) => {
    const alarm = { kind: alarmKind[place] ?? '', since: alarmSince[place] ?? 0 };
    alarms.set(number, [...(alarms.get(number) ?? []), alarm]);
  });
  return alarms;
}
