import type { FetchArgs } from '@reduxjs/toolkit/query';
import type { DeviceIconType, DeviceStatus, ListDevicesApiArg } from '@/api/generated';
import type { FileFormat } from '@/components/ExportMenu';
import type { ListParams } from '@/lib/listParams';

/** Where devices are, for calls past the cache. */
export const DEVICES_URL = '/api/v1/devices';

/** Kinds of vehicles to choose from. */
export const ICON_TYPES = ['car', 'van', 'pickup', 'truck', 'bus', 'motorcycle', 'heavy_equipment'] as const;

const only = (params: ListParams, name: string) => params.filters[name]?.[0];

/** Search, filters and order, as the address of the call has them. */
export function deviceFilter(params: ListParams) {
  return {
    sort: params.sort,
    q: params.q,
    status: only(params, 'status'),
    icon_type: params.filters.icon_type,
    userIds: params.filters.userIds,
    tenant_id: only(params, 'tenant_id'),
  };
}

/** One page, as the generated client takes it. */
export function devicePage(params: ListParams): ListDevicesApiArg {
  const { icon_type, tenant_id, status, ...filter } = deviceFilter(params);
  return {
    ...filter,
    status: status as DeviceStatus | undefined,
    iconType: icon_type as DeviceIconType[] | undefined,
    tenantId: tenant_id,
    page: params.page,
    pageSize: params.pageSize,
  };
}

/** What a column is called in a file: there people have names. The server knows nothing of what is live. */
const IN_FILES: Partial<Record<string, string>> = {
  name: 'name',
  tenant_id: 'tenant',
  user_id: 'owner',
  vehicle_code: 'vehicle_code',
  imei: 'imei',
  sim_number: 'sim_number',
  icon_type: 'icon_type',
  vehicle_type: 'vehicle_type',
  primary_driver: 'primary_driver',
  status: 'status',
  updated_at: 'updated_at',
};

/** The call for a file of everything that matches, with the columns on the screen. */
export function deviceExport(params: ListParams, format: FileFormat, timeZone: string): FetchArgs {
  const columns = params.columns.flatMap((key) => IN_FILES[key] ?? []);
  return { url: `${DEVICES_URL}/export`, params: { ...deviceFilter(params), format, columns, tz: timeZone } };
}
