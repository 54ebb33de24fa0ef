import { z } from 'zod';
import type { DeviceInput } from '@/api/generated';
import type { Device } from '@/api/types';

/** Messages of the form are keys of texts, because the language may change while it is open. */
const REQUIRED = 'validation.required';

/** What may be typed about a device. */
export const deviceSchema = z.object({
  name: z.string().trim().min(1, REQUIRED),
  imei: z.string().trim().min(1, REQUIRED).regex(/^\d{15}$/, 'validation.imei'),
  sim_number: z.string().trim(),
  max_parking_time: z.number('validation.seconds').int('validation.seconds').min(0, 'validation.seconds'),
  status: z.enum(['active', 'inactive']),
  user_id: z.string(),
  tenant_id: z.string(),
});

/** A device as it stands in the form. */
export type DeviceValues = z.infer<typeof deviceSchema>;

/** The fields of the form, by the names that the server uses as well. */
export const DEVICE_FIELDS = Object.keys(deviceSchema.shape) as (keyof DeviceValues)[];

/** A new device, or the one given. */
export function deviceValues(device: Device | undefined): DeviceValues {
  return {
    name: device?.name ?? '',
    imei: device?.imei ?? '',
    sim_number: device?.sim_number ?? '',
    max_parking_time: device?.max_parking_time ?? 0,
    status: device?.status === 'inactive' ? 'inactive' : 'active',
    user_id: device?.user_id ?? '',
    tenant_id: device?.tenant_id ?? '',
  };
}

/** What is sent. The tenant is named for new devices alone: a device does not move between tenants. */
export function deviceInput(values: DeviceValues, isNew: boolean): DeviceInput {
  const { tenant_id, ...input } = values;
  return isNew && tenant_id ? { ...input, tenant_id } : input;
}
