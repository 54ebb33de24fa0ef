import { IconBuilding, IconTruck, IconUser, type Icon } from '@tabler/icons-react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { useListDevicesQuery, useListTenantsQuery, useListUsersQuery } from '@/api/api';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';

/** One thing that the server found. */
export interface SearchResult {
  id: string;
  label: string;
  description: string;
  icon: Icon;
  run: () => void;
  runOther?: () => void;
}

/** Shorter searches find everything. */
const SHORTEST = 2;
/** How many of each kind; typing narrows them. */
const EACH = 5;

/** Searches things by name, plate, IMEI or email, among those that this person may see. */
export function useEntitySearch(q: string) {
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const otherUserId = useSelector(selectOtherUser);
  const none = q.length < SHORTEST;
  const asked = { page: 1, pageSize: EACH, sort: 'name', q };
  const userIds = otherUserId === null ? undefined : [otherUserId];
  const devices = useListDevicesQuery({ ...asked, userIds }, { skip: none || !can('device:list', person) });
  const users = useListUsersQuery(asked, { skip: none || !can('user:list', person) });
  const tenants = useListTenantsQuery(asked, { skip: none || !can('platform_owner', person) });

  const go = (address: string) => () => void navigate(address);
  const groups: { kind: 'devices' | 'users' | 'tenants'; items: SearchResult[] }[] = [
    {
      kind: 'devices',
      items: (devices.currentData?.items ?? []).map(({ id, name, vehicle_code, imei }) => ({
        id: `device.${id}`,
        label: name,
        description: [vehicle_code, imei].filter(Boolean).join(' · '),
        icon: IconTruck,
        run: go(`/devices?open=${id}`),
        runOther: go(`/maps?device_id=${id}`),
      })),
    },
    {
      kind: 'users',
      items: (users.currentData?.items ?? []).map(({ id, name, email }) => ({
        id: `user.${id}`,
        label: name,
        description: email,
        icon: IconUser,
        run: go(`/users?open=${id}`),
      })),
    },
    {
      kind: 'tenants',
      items: (tenants.currentData?.items ?? []).map(({ id, name, description }) => ({
        id: `tenant.${id}`,
        label: name,
        description,
        icon: IconBuilding,
        run: go(`/tenants?open=${id}`),
      })),
    },
  ];
  const all = [devices, users, tenants];
  return {
    groups: none ? [] : groups.filter(({ items }) => items.length > 0),
    loading: !none && all.some(({ isFetching }) => isFetching),
    failed: !none && all.some(({ isError }) => isError),
  };
}
