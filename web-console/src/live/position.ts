import type { LastPosition, Motion } from '@/api/generated';

/** The newest position of a device, checked and in one shape, whichever message brought it. */
export interface LivePosition {
  deviceId: string;
  /** Milliseconds since 1970, the time of the fix. */
  recordedAt: number;
  lat: number;
  lng: number;
  /** km/h. */
  speed: number;
  /** Degrees clockwise from north; null when unknown. */
  course: number | null;
  motion: Motion;
  /** Milliseconds since 1970 since when the motion holds. */
  motionSince: number | null;
  ignition: boolean | null;
  alarm: string | null;
  battery: number | null;
  charging: boolean | null;
  satellites: number | null;
  gsm: number | null;
  odometer: number | null;
  fuelPercent: number | null;
}

/** A change of some of it. */
export type PositionChange = Pick<LivePosition, 'deviceId' | 'recordedAt' | 'lat' | 'lng'> & Partial<LivePosition>;

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null;
const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const time = (value: unknown): number | null => {
  const parsed = typeof value === 'string' ? Date.parse(value) : (finite(value) ?? Number.NaN);
  return Number.isNaN(parsed) ? null : parsed;
};
const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const motionOf = (value: unknown): Motion =>
  value === 'moving' || value === 'idle' || value === 'parked' ? value : 'unspecified';

/** Identity, time and place; null when one of them is missing or no number, and then the whole update is ignored. */
function whereAndWhen(id: unknown, at: unknown, lat: unknown, lng: unknown): PositionChange | null {
  const deviceId = word(id);
  const recordedAt = time(at);
  const latitude = finite(lat);
  const longitude = finite(lng);
  if (!deviceId || recordedAt === null || latitude === null || longitude === null) return null;
  return { deviceId, recordedAt, lat: latitude, lng: longitude };
}

/** A `LastPosition`, from the snapshot or from a `position` message. */
export function fromLastPosition(raw: LastPosition | unknown): PositionChange | null {
  const fields = fieldsOf(raw);
  const place = fields && whereAndWhen(fields.device_id, fields.recorded_at, fields.lat, fields.lng);
  if (!place) return null;
  return {
    ...place,
    speed: finite(fields.speed) ?? 0,
    course: finite(fields.course),
    motion: motionOf(fields.motion),
    motionSince: time(fields.motion_since),
    ignition: flag(fields.ignition),
    alarm: word(fields.alarm),
    battery: finite(fields.batt_percent),
    charging: flag(fields.charge),
    satellites: finite(fields.sat),
    gsm: finite(fields.gsm_signal),
    odometer: finite(fields.odometer),
    fuelPercent: finite(fields.fuel_percent),
  };
}

/** A `LiveDevice`, the payload of `device_update`. */
function fromLiveDevice(raw: unknown): PositionChange | null {
  const fields = fieldsOf(raw);
  const place = fields && whereAndWhen(fields.id, fields.device_time, fields.latitude, fields.longitude);
  if (!place) return null;
  const status = fieldsOf(fields.status) ?? {};
  return {
    ...place,
    speed: finite(fields.speed) ?? 0,
    course: finite(fields.heading),
    motion: motionOf(status.movement),
    motionSince: time(fieldsOf(fields.park_info)?.since),
    ignition: flag(fields.ignition),
    alarm: word(status.alarm),
    battery: finite(status.battery_percent),
    charging: flag(status.charging),
    satellites: finite(status.satellite_count),
    gsm: finite(status.gsm_signal),
    odometer: finite(fields.odo),
    fuelPercent: finite(fields.fuel_percent),
  };
}

/** A `DeviceLocation`, the payload of `device_location`: nothing but the place has changed. */
function fromDeviceLocation(raw: unknown): PositionChange | null {
  const fields = fieldsOf(raw);
  const place = fields && whereAndWhen(fields.device_id, fields.device_time, fields.latitude, fields.longitude);
  if (!place) return null;
  return { ...place, speed: finite(fields.speed) ?? 0, course: finite(fields.heading) };
}

/** The position in a message of the live socket; null when it holds none, or an invalid one. */
export function positionIn(message: Record<string, unknown>): PositionChange | null {
  switch (message.type) {
    case 'position':
      return fromLastPosition(message.position);
    case 'device_update':
      return fromLiveDevice(message.payload);
    case 'device_location':
      return fromDeviceLocation(message.payload);
    default:
      return null;
  }
}

const UNKNOWN: Omit<LivePosition, 'deviceId' | 'recordedAt' | 'lat' | 'lng'> = {
  speed: 0,
  course: null,
  motion: 'unspecified',
  motionSince: null,
  ignition: null,
  alarm: null,
  battery: null,
  charging: null,
  satellites: null,
  gsm: null,
  odometer: null,
  fuelPercent: null,
};

/** The position after the change. */
export function withChange(known: LivePosition | undefined, change: PositionChange): LivePosition {
  return { ...(known ?? UNKNOWN), ...change };
}
