import { fetchAllEntries, fetchNames } from '@/api/direct';
import type { Device } from '@/api/types';
import type { ListParams } from '@/lib/listParams';
import type { PrintLoader } from '@/lib/usePrintData';
import { DEVICES_URL, deviceFilter } from './deviceList';

/** What those are called to whom devices belong, by id. */
export interface OwnerNames {
  users: ReadonlyMap<string, string>;
  tenants: ReadonlyMap<string, string>;
}

/** What a printed list is made of. */
export interface DevicePrintData extends OwnerNames {
  devices: Device[];
}

/** Every device of a filter, and the names of whom the columns and the filter speak. */
export const devicePrintLoader =
  (params: ListParams): PrintLoader<DevicePrintData> =>
  (options) =>
  async (dispatch) => {
    const found = await dispatch(fetchAllEntries<Device>(DEVICES_URL, deviceFilter(params), options));
    if (!found.data) return { error: found.error };
    const devices = found.data;
    const inColumn = (key: 'user_id' | 'tenant_id') =>
      params.columns.includes(key) ? devices.map((device) => device[key] ?? '') : [];
    const inFilter = (name: string) => params.filters[name] ?? [];
    const [users, tenants] = await Promise.all([
      dispatch(fetchNames('/api/v1/users', [...inColumn('user_id'), ...inFilter('userIds')], options.signal)),
      dispatch(fetchNames('/api/v1/tenants', [...inColumn('tenant_id'), ...inFilter('tenant_id')], options.signal)),
    ]);
    if (!users.data || !tenants.data) return { error: users.error ?? tenants.error };
    return { data: { devices, users: users.data, tenants: tenants.data } };
  };
