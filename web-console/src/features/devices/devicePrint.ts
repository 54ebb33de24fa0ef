import { everyEntry, namesOf } from '@/api/direct';
import type { Device } from '@/api/types';
import type { ListParams } from '@/lib/listParams';
import type { PaperLoader } from '@/lib/usePaper';
import { DEVICES_URL, deviceFilter } from './deviceList';

/** What those are called to whom devices belong, by id. */
export interface OwnerNames {
  users: ReadonlyMap<string, string>;
  tenants: ReadonlyMap<string, string>;
}

/** What a list on paper is made of. */
export interface DevicePaper extends OwnerNames {
  devices: Device[];
}

/** Every device of a filter, and the names of whom the columns and the filter speak. */
export const devicePaper =
  (params: ListParams): PaperLoader<DevicePaper> =>
  (options) =>
  async (dispatch) => {
    const found = await dispatch(everyEntry<Device>(DEVICES_URL, deviceFilter(params), options));
    if (!found.data) return { error: found.error };
    const devices = found.data;
    const inColumn = (key: 'user_id' | 'tenant_id') =>
      params.columns.includes(key) ? devices.map((device) => device[key] ?? '') : [];
    const inFilter = (name: string) => params.filters[name] ?? [];
    const [users, tenants] = await Promise.all([
      dispatch(namesOf('/api/v1/users', [...inColumn('user_id'), ...inFilter('userIds')], options.signal)),
      dispatch(namesOf('/api/v1/tenants', [...inColumn('tenant_id'), ...inFilter('tenant_id')], options.signal)),
    ]);
    if (!users.data || !tenants.data) return { error: users.error ?? tenants.error };
    return { data: { devices, users: users.data, tenants: tenants.data } };
  };
