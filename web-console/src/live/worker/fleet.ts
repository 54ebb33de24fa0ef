import { ICON_TYPES, type LiveDevice } from '../liveDevice';
import type { Ages, DayActivity, LivePosition, StandingAlarm } from '../position';
import { STATE_CODES, USUAL_AGES, VEHICLE_STATES } from '../vehicleState';
import { PRESENT, agesIn, alarmsIn, todayIn, trackersIn, type Catalogue, type Positions } from './columns';
import { Glides } from './glides';
import { Groups } from './groups';
import { growColumns } from './growColumns';

/** The time of a fix that there never was, and a course that is not known. */
const UNKNOWN = Number.NaN;
const MOTIONS = ['unspecified', 'moving', 'idle', 'parked'] as const;
/** The states of motions, by their places; one that is not specified says none. Every frame asks this of all rows. */
const MOTION_CODES = MOTIONS.map((motion) => (motion === 'unspecified' ? STATE_CODES.no_data : STATE_CODES[motion]));
const FIRST_CAPACITY = 256;

/** What is known of all devices, as columns: ten thousands of them are walked through in every frame. */
export class Fleet {
  /** Rows that were ever used; some may be free. */
  size = 0;
  /** Devices there are. */
  count = 0;
  /** Grows with every change of the catalogue. */
  catalogueVersion = 0;
  /** Grows whenever a row is given to a device or taken from one. */
  rowsVersion = 0;
  /** Grows with every row that gets another name, is given to a device or taken from one. */
  namesVersion = 0;
  /** Whether the catalogue is all there is. */
  complete = false;

  readonly ids: string[] = [];
  readonly names: string[] = [];
  readonly codes: string[] = [];
  readonly drivers: string[] = [];
  readonly imeis: string[] = [];
  /** What a search looks at, in small letters; made when somebody searches. */
  private readonly searched: (string | undefined)[] = [];
  readonly alarms: string[] = [];
  /** Alarms that stand, by rows that have some. */
  private standing = new Map<number, StandingAlarm[]>();

  /** Who is in which group; what is known of that does not come by the catalogue. */
  readonly groups = new Groups(this);

  private rows = new Map<string, number>();
  private free: number[] = [];
  /** Rows by the numbers of the current stream. */
  private numbers: number[] = [];
  private unconfirmed = new Set<number>();

  icon = new Uint8Array(FIRST_CAPACITY);
  /** What `namesVersion` had come to when it last grew by the row. */
  namedIn = new Uint32Array(FIRST_CAPACITY);
  private live = new Uint8Array(FIRST_CAPACITY);
  private inactive = new Uint8Array(FIRST_CAPACITY);
  private alarmed = new Uint8Array(FIRST_CAPACITY);
  private staleAfter = new Uint32Array(FIRST_CAPACITY);
  private offlineAfter = new Uint32Array(FIRST_CAPACITY);
  recordedAt = new Float64Array(FIRST_CAPACITY);
  private lat = new Int32Array(FIRST_CAPACITY);
  private lng = new Int32Array(FIRST_CAPACITY);
  private present = new Uint32Array(FIRST_CAPACITY);
  private speed = new Float32Array(FIRST_CAPACITY);
  private course = new Float32Array(FIRST_CAPACITY);
  private sat = new Uint8Array(FIRST_CAPACITY);
  private battery = new Uint8Array(FIRST_CAPACITY);
  private fuel = new Uint8Array(FIRST_CAPACITY);
  private odometer = new Float64Array(FIRST_CAPACITY);
  private motionSince = new Float64Array(FIRST_CAPACITY);
  /** By row: few are told of. */
  private readonly todays = new Map<number, DayActivity>();
  /** The same. */
  private readonly litres = new Map<number, number>();
  /** Grows with every change of a row. */
  version = new Uint32Array(FIRST_CAPACITY);
  /** Where the vehicles of the rows are drawn. */
  readonly glides = new Glides(FIRST_CAPACITY);

  /** The row of a device. */
  row(id: string): number | undefined {
    return this.rows.get(id);
  }

  /** The rows of those of these devices that there are. */
  rowsOf(ids: readonly string[]): Set<number> {
    return new Set(ids.map((id) => this.rows.get(id)).filter((row) => row !== undefined));
  }

  /** Whether a row is a device. */
  isLive(row: number): boolean {
    return this.live[row] === 1;
  }

  /** Whether a row is a device in use. The others are known, and shown to who asks for one of them. */
  isShown(row: number): boolean {
    return this.live[row] === 1 && this.inactive[row] === 0;
  }

  /** Whether the device of a row has ever reported. */
  isLocated(row: number): boolean {
    return this.live[row] === 1 && !Number.isNaN(this.recordedAt[row] ?? UNKNOWN);
  }

  /** Whether a search in small letters finds the device of a row: in its name, code, driver or IMEI. */
  matches(row: number, search: string): boolean {
    const { names, codes, drivers, imeis } = this;
    const searched = (this.searched[row] ??= [names[row], codes[row], drivers[row], imeis[row]]
      .join('\n')
      .toLowerCase());
    return searched.includes(search);
  }

  /** Takes in which devices there are. What is known of a device outlives a reset: only its number is another. */
  list(catalogue: Catalogue): void {
    if (catalogue.reset) {
      this.numbers = [];
      this.unconfirmed = new Set(this.rows.values());
      this.complete = false;
    }
    for (const number of catalogue.gone) this.remove(this.numbers[number]);
    const inactive = new Set(catalogue.inactive);
    const ages = agesIn(catalogue);
    const alarms = alarmsIn(catalogue);
    const trackers = trackersIn(catalogue);
    catalogue.index.forEach((number, place) => {
      const id = catalogue.deviceId[place] ?? '';
      const row = this.rows.get(id) ?? this.add(id);
      this.numbers[number] = row;
      this.unconfirmed.delete(row);
      this.describe(row, catalogue, place);
      this.imeis[row] = trackers[place] ?? '';
      this.inactive[row] = inactive.has(number) ? 1 : 0;
      const { staleAfterMs, offlineAfterMs } = ages.get(number) ?? USUAL_AGES;
      this.staleAfter[row] = staleAfterMs;
      this.offlineAfter[row] = offlineAfterMs;
      this.stand(row, alarms.get(number));
    });
    if (catalogue.complete) {
      for (const row of this.unconfirmed) this.remove(row);
      this.unconfirmed.clear();
      this.complete = true;
    }
    this.catalogueVersion += 1;
  }

  private stand(row: number, alarms: StandingAlarm[] | undefined): void {
    this.alarmed[row] = alarms ? 1 : 0;
    if (alarms) this.standing.set(row, alarms);
    else this.standing.delete(row);
  }

  private describe(row: number, from: Catalogue, place: number): void {
    const name = from.name[place] ?? '';
    if (name !== this.names[row]) this.named(row);
    this.names[row] = name;
    this.codes[row] = from.vehicleCode[place] ?? '';
    this.drivers[row] = from.driver[place] ?? '';
    this.icon[row] = from.iconType[place] ?? 0;
    this.searched[row] = undefined;
    this.touch(row);
  }

  /** Takes in positions; calls back with each row that has changed. */
  move(columns: Positions, now: number, changed: (row: number) => void): void {
    const next = { speed: 0, course: 0, sat: 0, battery: 0, fuel: 0, odometer: 0, motionSince: 0, litres: 0 };
    const after = { alarm: 0, today: 0 };
    const value = (present: number, column: keyof typeof next, unknown: number) =>
      present & PRESENT[column] ? (columns[column][next[column]++] ?? unknown) : unknown;
    for (let place = 0; place < columns.index.length; place++) {
      const present = columns.present[place] ?? 0;
      const recordedAt = columns.recordedAt[place] ?? 0;
      const fix = {
        present,
        recordedAt,
        lat: columns.lat[place] ?? 0,
        lng: columns.lng[place] ?? 0,
        speed: value(present, 'speed', 0) / 10,
        course: value(present, 'course', UNKNOWN) / 10,
        sat: value(present, 'sat', 0),
        battery: value(present, 'battery', 0),
        fuel: value(present, 'fuel', 0),
        odometer: value(present, 'odometer', 0),
        motionSince: recordedAt - 1000 * value(present, 'motionSince', 0),
        alarm: present & PRESENT.alarm ? (columns.alarm[after.alarm++] ?? '') : '',
        today: present & PRESENT.today ? todayIn(columns, after.today++, present, recordedAt) : undefined,
        litres: present & PRESENT.litres ? value(present, 'litres', 0) / 10 : undefined,
      };
      const row = this.numbers[columns.index[place] ?? -1];
      if (row !== undefined && this.take(row, fix, now)) changed(row);
    }
  }

  private take(row: number, fix: Fix, now: number): boolean {
    if (Math.abs(fix.lat) > 900_000_000 || Math.abs(fix.lng) > 1_800_000_000) return false;
    const before = this.recordedAt[row] ?? UNKNOWN;
    if (fix.recordedAt < before) return false;
    this.glides.moveTo(row, fix, before, now);
    this.recordedAt[row] = fix.recordedAt;
    this.lat[row] = fix.lat;
    this.lng[row] = fix.lng;
    this.present[row] = fix.present;
    this.speed[row] = fix.speed;
    this.course[row] = fix.course;
    this.sat[row] = fix.sat;
    this.battery[row] = fix.battery;
    this.fuel[row] = fix.fuel;
    this.odometer[row] = fix.odometer;
    this.motionSince[row] = fix.motionSince;
    this.alarms[row] = fix.alarm;
    if (fix.today) this.todays.set(row, fix.today);
    else this.todays.delete(row);
    if (fix.litres !== undefined) this.litres.set(row, fix.litres);
    else this.litres.delete(row);
    this.touch(row);
    return true;
  }

  /**
   * The state to show, by its place in `VEHICLE_STATES`. An alarm that stands comes first, wherever the vehicle is: nobody has
   * seen to it, whatever was heard since. All else is the same rule as `vehicleState`. `clock` is the time of day.
   */
  stateCode(row: number, clock: number): number {
    if (this.alarmed[row] === 1) return STATE_CODES.alarm;
    const recordedAt = this.recordedAt[row] ?? UNKNOWN;
    if (Number.isNaN(recordedAt)) return STATE_CODES.no_data;
    if (clock - recordedAt > (this.offlineAfter[row] ?? 0)) return STATE_CODES.offline;
    const present = this.present[row] ?? 0;
    const motion = present & PRESENT.motion;
    if (motion !== 0) return MOTION_CODES[motion] ?? STATE_CODES.no_data;
    if ((this.speed[row] ?? 0) > 0) return STATE_CODES.moving;
    return present & PRESENT.ignitionOn ? STATE_CODES.idle : STATE_CODES.parked;
  }

  /** What other parts of the console are told of a device. */
  device(row: number, clock: number): LiveDevice {
    return {
      id: this.ids[row] ?? '',
      imei: this.imeis[row] ?? '',
      name: this.names[row] ?? '',
      vehicleCode: this.codes[row] ?? '',
      driver: this.drivers[row] ?? '',
      iconType: ICON_TYPES[this.icon[row] ?? 0] ?? 'unspecified',
      inactive: this.inactive[row] === 1,
      state: VEHICLE_STATES[this.stateCode(row, clock)] ?? 'no_data',
      alarms: this.standing.get(row),
      position: this.isLocated(row) ? this.position(row) : null,
    };
  }

  /** None where they are the usual ones. */
  private ages(row: number): Ages | undefined {
    const ages = { staleAfterMs: this.staleAfter[row] ?? 0, offlineAfterMs: this.offlineAfter[row] ?? 0 };
    const { staleAfterMs, offlineAfterMs } = USUAL_AGES;
    return ages.staleAfterMs === staleAfterMs && ages.offlineAfterMs === offlineAfterMs ? undefined : ages;
  }

  private position(row: number): LivePosition {
    const present = this.present[row] ?? 0;
    const known = (bit: number, value: number | undefined) => (present & bit ? (value ?? null) : null);
    const speed = this.speed[row] ?? 0;
    const course = this.course[row] ?? UNKNOWN;
    return {
      deviceId: this.ids[row] ?? '',
      recordedAt: this.recordedAt[row] ?? 0,
      lat: (this.lat[row] ?? 0) / 1e7,
      lng: (this.lng[row] ?? 0) / 1e7,
      speed: Math.round(speed * 10) / 10,
      course: Number.isNaN(course) ? null : Math.round(course * 10) / 10,
      motion: MOTIONS[present & PRESENT.motion] ?? 'unspecified',
      motionSince: known(PRESENT.motionSince, this.motionSince[row]),
      ignition: present & PRESENT.ignitionKnown ? (present & PRESENT.ignitionOn) !== 0 : null,
      alarm: present & PRESENT.alarm ? (this.alarms[row] ?? null) : null,
      battery: known(PRESENT.battery, this.battery[row]),
      charging: present & PRESENT.chargeKnown ? (present & PRESENT.charging) !== 0 : null,
      satellites: known(PRESENT.sat, this.sat[row]),
      odometer: known(PRESENT.odometer, this.odometer[row]),
      fuelPercent: known(PRESENT.fuel, this.fuel[row]),
      fuelLitres: this.litres.get(row),
      today: this.todays.get(row),
      ages: this.ages(row),
    };
  }

  /** Forgets everything. */
  clear(): void {
    for (const row of [...this.rows.values()]) this.remove(row);
    this.rows.clear();
    this.numbers = [];
    this.unconfirmed.clear();
    this.free = [];
    this.standing.clear();
    this.size = 0;
    this.count = 0;
    this.complete = false;
    this.catalogueVersion += 1;
    for (const texts of [this.ids, this.names, this.codes, this.drivers, this.imeis, this.searched, this.alarms]) {
      texts.length = 0;
    }
  }

  private touch(row: number): void {
    this.version[row] = (this.version[row] ?? 0) + 1;
  }

  private named(row: number): void {
    this.namedIn[row] = ++this.namesVersion;
  }

  private add(id: string): number {
    const row = this.free.pop() ?? this.size++;
    if (row >= this.live.length) this.grow(row * 2);
    this.ids[row] = id;
    this.rows.set(id, row);
    this.live[row] = 1;
    this.recordedAt[row] = UNKNOWN;
    this.glides.stop(row);
    this.count += 1;
    this.rowsVersion += 1;
    this.named(row);
    return row;
  }

  private remove(row: number | undefined): void {
    if (row === undefined || this.live[row] !== 1) return;
    this.rows.delete(this.ids[row] ?? '');
    this.live[row] = 0;
    this.stand(row, undefined);
    this.recordedAt[row] = UNKNOWN;
    this.todays.delete(row);
    this.litres.delete(row);
    this.free.push(row);
    this.count -= 1;
    this.rowsVersion += 1;
    this.named(row);
    this.touch(row);
  }

  private grow(size: number): void {
    growColumns(this, size);
    this.glides.grow(size);
  }
}

/** A fix in the units of the columns. */
interface Fix {
  present: number;
  recordedAt: number;
  lat: number;
  lng: number;
  speed: number;
  course: number;
  sat: number;
  battery: number;
  fuel: number;
  odometer: number;
  motionSince: number;
  alarm: string;
  today: DayActivity | undefined;
  litres: number | undefined;
}
