import { useEffect, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useListDeviceGroupsQuery } from '@/api/calls/devices';
import { live } from '@/live/live';
import type { DeviceGroup } from '@/live/protocol';
import { useLiveSettled } from '@/live/useLive';
import { useCanWatchLive } from '@/live/useLiveSession';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { useMapAddress } from './useMapAddress';

/** The groups of the vehicles on the map. */
export interface DeviceGroups {
  /** Whether this person may know of any. */
  allowed: boolean;
  /** Null while they are not known. */
  groups: DeviceGroup[] | null;
  failed: boolean;
  retry: () => void;
}

/**
 * Who of the fleet is in which group: all of it at once, since the live connection does not tell. It is asked for behind the
 * first vehicles, unless the address asks for groups.
 */
export function useDeviceGroups(): DeviceGroups {
  const mayList = can('device:list', useSelector(selectPerson));
  const allowed = useCanWatchLive() && mayList;
  const { groups: chosen, grouped } = useMapAddress();
  const settled = useLiveSettled();
  const asked = settled || chosen !== null || grouped;
  const { data, error, refetch } = useListDeviceGroupsQuery(undefined, { skip: !allowed || !asked });
  const groups = useMemo(
    () =>
      data?.items?.map(({ id, name, parent_id, device_ids }): DeviceGroup => {
        return { id, name, parentId: parent_id ?? null, deviceIds: device_ids };
      }) ?? null,
    [data],
  );
  return { allowed, groups, failed: error !== undefined && groups === null, retry: () => void refetch() };
}

/** Tells the live worker, which filters and counts by them, for as long as the map is there. */
export function useWorkerGroups(groups: DeviceGroup[] | null): void {
  useEffect(() => live.setGroups(groups), [groups]);
  useEffect(() => () => live.setGroups(null), []);
}

/** What groups are called, by id; a group in another one with the names of those before it. */
export function groupPaths(groups: readonly DeviceGroup[]): Map<string, string> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const pathOf = (group: DeviceGroup): string => {
    const parent = group.parentId === null ? undefined : byId.get(group.parentId);
    return parent ? `${pathOf(parent)} › ${group.name}` : group.name;
  };
  return new Map(groups.map((group) => [group.id, pathOf(group)]));
}
