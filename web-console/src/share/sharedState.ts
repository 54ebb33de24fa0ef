import { USUAL_AGES, vehicleState, type VehicleState } from '@/live/vehicleState';
import type { SharedVehicle } from './visit';

/** What a vehicle does now, as far as a visitor is told. */
export function sharedState({ position, offline_seconds: offline }: SharedVehicle, now: number): VehicleState {
  if (!position) return 'no_data';
  const { recorded_at: at, speed = 0, motion } = position;
  const ages = offline === undefined ? undefined : { ...USUAL_AGES, offlineAfterMs: 1000 * offline };
  const known = { recordedAt: Date.parse(at), speed, motion, ignition: null, ages };
  return vehicleState(known, now);
}
