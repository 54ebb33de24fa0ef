import type { Motion } from '@/api/generated';

/** After how long a position says less of now than it did, in milliseconds. */
export interface Ages {
  /** It says no more how fast its vehicle is. */
  staleAfterMs: number;
  /** It says nothing at all: the vehicle is offline. */
  offlineAfterMs: number;
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
  alarm: string | null;
  battery: number | null;
  charging: boolean | null;
  satellites: number | null;
  odometer: number | null;
  fuelPercent: number | null;
  /** Where they are not the usual ones. */
  ages?: Ages;
}
