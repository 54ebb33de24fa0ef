import type { Driver } from '@/api/types';

/** What was once noted down of a driver's vehicle, for want of anything better. */
export const notedVehicle = ({ license_plate: plate, vehicle_type: type }: Driver): string =>
  [plate, type].filter(Boolean).join(' · ');
