import { z } from 'zod';
import type { DeviceInput } from '@/api/generated';
import type { Device } from '@/api/types';
import { imeiDigits } from '@/lib/imei';
import { omitUnshownFields } from '@/lib/omitUnshownFields';
import { ICON_TYPES } from './deviceList';

/** Messages of the form are keys of texts, because the language may change while it is open. */
const REQUIRED = 'validation.required';
const TOO_LONG = 'validation.tooLong';

/** What may be typed about a device; a platform owner has to say whose a new one is. */
export const deviceSchema = (namesTenant: boolean) =>
  z.object({
    name: z.string().trim().min(1, REQUIRED),
    imei: z
      .string()
      .overwrite(imeiDigits)
      .min(1, REQUIRED)
      .regex(/^\d{15}$/, 'validation.imei'),
    sim_number: z.string().trim(),
    max_parking_time: z.number('validation.seconds').int('validation.seconds').min(0, 'validation.seconds'),
    status: z.enum(['active', 'inactive']),
    user_id: z.string(),
    tenant_id: namesTenant ? z.string().min(1, 'validation.tenant') : z.string(),
    icon_type: z.enum(ICON_TYPES),
    vehicle_code: z.string().trim().max(32, TOO_LONG),
    vehicle_type: z.string().trim().max(64, TOO_LONG),
    primary_driver: z.string().trim().max(100, TOO_LONG),
  });

/** A device as it stands in the form. */
export type DeviceValues = z.infer<ReturnType<typeof deviceSchema>>;

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
    icon_type: ICON_TYPES.find((icon) => icon === device?.icon_type) ?? 'car',
    vehicle_code: device?.vehicle_code ?? '',
    vehicle_type: device?.vehicle_type ?? '',
    primary_driver: device?.primary_driver ?? '',
  };
}

/** What is sent of a new device, or of a change of the present one. The tenant is named for new devices alone: a device does not move between tenants. */
export function deviceInput(values: DeviceValues, present: Device | undefined): DeviceInput {
  const { tenant_id, ...input } = values;
  if (present) return omitUnshownFields(input, present, deviceValues(present), ['status', 'icon_type']);
  return tenant_id ? { ...input, tenant_id } : input;
}
