import type { Catalogue, Positions } from './columns';
import { Fleet } from './fleet';

/** A vehicle as a test says it. */
export interface TestFix {
  id: string;
  at?: number;
  lat?: number;
  lng?: number;
  /** Degrees; none when left out. */
  course?: number;
  speed?: number;
  motion?: 0 | 1 | 2 | 3;
  alarm?: string;
  /** Metres that were driven on a day that ends an hour after the fix. */
  today?: number;
  litres?: number;
}

/** A catalogue of these devices, numbered in their order from `from` on. */
export function catalogueOf(ids: string[], change: Partial<Catalogue> = {}, from = 0): Catalogue {
  return {
    reset: false,
    complete: true,
    index: ids.map((_, place) => from + place),
    deviceId: ids,
    imei: ids.map((_, place) => 490_000_000_000_000 + place),
    name: ids.map((id) => `Truck ${id}`),
    vehicleCode: ids.map(() => ''),
    driver: ids.map(() => ''),
    iconType: ids.map(() => 0),
    gone: [],
    inactive: [],
    aged: [],
    staleSeconds: [],
    offlineSeconds: [],
    alarmed: [],
    alarmKind: [],
    alarmSince: [],
    id: [],
    ...change,
  };
}

/** What a catalogue says of alarms that stand: an SOS of each of these numbers. */
export const alarmsOf = (...alarmed: number[]): Partial<Catalogue> => ({
  alarmed,
  alarmKind: alarmed.map(() => 'alarm.sos'),
  alarmSince: alarmed.map(() => 1),
});

/** Columns of fixes; `numbers` says which number each device has. */
export function positionsOf(fixes: TestFix[], numbers: Map<string, number>): Positions {
  const columns: Positions = {
    index: fixes.map(({ id }) => numbers.get(id) ?? -1),
    recordedAt: fixes.map(({ at = 0 }) => at),
    lat: Int32Array.from(fixes, ({ lat = -6.2 }) => Math.round(lat * 1e7)),
    lng: Int32Array.from(fixes, ({ lng = 106.8 }) => Math.round(lng * 1e7)),
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
  for (const { course, speed, motion = 1, alarm, today, litres } of fixes) {
    let present: number = motion;
    if (speed !== undefined) {
      present |= 1 << 8;
      columns.speed.push(speed * 10);
    }
    if (course !== undefined) {
      present |= 1 << 9;
      columns.course.push(course * 10);
    }
    if (alarm !== undefined) {
      present |= 1 << 16;
      columns.alarm.push(alarm);
    }
    if (today !== undefined) {
      present |= 1 << 17;
      columns.todayUntil.push(3_600);
      columns.todayEngine.push(0);
      columns.todayMoving.push(0);
      columns.todayIdle.push(0);
      columns.todayParked.push(0);
      columns.todayDistance.push(today);
    }
    if (litres !== undefined) {
      present |= 1 << 18;
      columns.litres.push(litres * 10);
    }
    columns.present.push(present);
  }
  return columns;
}

/** Numbers below a limit, as if by chance, and the same ones in every run. */
export function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A fleet that knows these devices, and a way to report of them. */
export function fleetOf(ids: string[]): { fleet: Fleet; report: (now: number, ...fixes: TestFix[]) => number[] } {
  const fleet = new Fleet();
  fleet.list(catalogueOf(ids, { reset: true }));
  const numbers = new Map(ids.map((id, place) => [id, place]));
  const report = (now: number, ...fixes: TestFix[]) => {
    const changed: number[] = [];
    fleet.move(positionsOf(fixes, numbers), now, (row) => changed.push(row));
    return changed;
  };
  return { fleet, report };
}
