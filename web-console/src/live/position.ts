import type { Motion } from '@/api/generated';

/** After how long a position says less of now than it did, in milliseconds. */
export interface Ages {
  /** It says no more how fast its vehicle is. */
  staleAfterMs: number;
  /** It says nothing at all: the vehicle is offline. */
  offlineAfterMs: number;
}

/** What a vehicle has come to on the day of its newest fix, in the time zone of its tenant. */
export interface DayActivity {
  /** When that day ends, milliseconds since 1970. */
  until: number;
  /** Metres. */
  distance: number;
  /** Seconds with the ignition on; null while its ignition is not known. */
  engine: number | null;
  /** Seconds. */
  moving: number;
  idle: number;
  parked: number;
}

/** An alarm that stands until somebody acknowledges it, whatever its vehicle does meanwhile. */
export interface StandingAlarm {
  /** The kind of its events, e.g. `alarm.sos`. */
  kind: string;
  /** When the first of them happened, milliseconds since 1970. */
  since: number;
}

/** The newest position of a device. */
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
  /** What the tracker said with this fix; whether it is an alarm that stands is said by its device. */
  alarm: string | null;
  battery: number | null;
  charging: boolean | null;
  satellites: number | null;
  odometer: number | null;
  fuelPercent: number | null;
  /** Only of a device that is watched or in the list. */
  fuelLitres?: number;
  /** The same. */
  today?: DayActivity;
  /** Where they are not the usual ones. */
  ages?: Ages;
}
