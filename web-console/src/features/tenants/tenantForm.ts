import { z } from 'zod';
import type { Tenant } from '@/api/types';

/** What may be typed about a tenant; messages are keys of texts. */
export const tenantSchema = z.object({
  name: z.string().trim().min(1, 'validation.name'),
  description: z.string().trim(),
  time_zone: z.string().min(1, 'validation.timeZone'),
  active: z.boolean(),
});

/** A tenant as it stands in the form, which is also what is sent. */
export type TenantValues = z.infer<typeof tenantSchema>;

/** A new tenant, or the one given. */
export function tenantValues(tenant: Tenant | undefined): TenantValues {
  return {
    name: tenant?.name ?? '',
    description: tenant?.description ?? '',
    time_zone: tenant?.time_zone || 'Asia/Jakarta',
    active: tenant?.active ?? true,
  };
}

const INDONESIAN_ZONES = ['Asia/Jakarta', 'Asia/Pontianak', 'Asia/Makassar', 'Asia/Jayapura'];

/** Time zones to choose from, Indonesia's first. */
export function timeZones(present: string): string[] {
  return [...new Set([...INDONESIAN_ZONES, present, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].filter(Boolean);
}
