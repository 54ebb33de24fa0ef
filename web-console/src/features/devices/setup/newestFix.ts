import type { TrackPoint } from '@/api/generated';
import type { LivePosition } from '@/live/position';

/** What the newest fix of a device says; null where it does not. */
export interface NewestFix {
  /** Milliseconds since 1970, by the tracker's clock. */
  recordedAt: number;
  lat: number;
  lng: number;
  /** Whether the place is of now; without satellites it is the last known one. */
  valid: boolean | null;
  /** km/h. */
  speed: number | null;
  isMoving: boolean;
  satellites: number | null;
  ignition: boolean | null;
  fuelLitres: number | null;
  fuelPercent: number | null;
  /** Metres. */
  odometer: number | null;
}

const MOVING_KMH = 5;

const ofLive = (live: LivePosition): NewestFix => ({
  recordedAt: live.recordedAt,
  lat: live.lat,
  lng: live.lng,
  valid: null,
  speed: live.speed,
  isMoving: live.motion === 'moving' || live.speed >= MOVING_KMH,
  satellites: live.satellites,
  ignition: live.ignition,
  fuelLitres: live.fuelLitres ?? null,
  fuelPercent: live.fuelPercent,
  odometer: live.odometer,
});

const ofHistory = (fix: TrackPoint): NewestFix => ({
  recordedAt: Date.parse(fix.recorded_at),
  lat: fix.lat,
  lng: fix.lng,
  valid: fix.valid,
  speed: fix.speed ?? null,
  isMoving: fix.motion === 'moving' || (fix.speed ?? 0) >= MOVING_KMH,
  satellites: fix.sat ?? null,
  ignition: fix.ignition ?? null,
  fuelLitres: fix.fuel_liter ?? null,
  fuelPercent: fix.fuel_percent ?? null,
  odometer: fix.odometer ?? null,
});

/** The newest that is known: history says more of a fix, and comes a moment later than what is live. */
export function newestOf(live: LivePosition | undefined, stored: TrackPoint | undefined): NewestFix | null {
  const known = stored && ofHistory(stored);
  if (!live || (known && known.recordedAt >= live.recordedAt)) return known ?? null;
  return ofLive(live);
}
