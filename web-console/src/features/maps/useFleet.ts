import { useEffect, useMemo, useRef } from 'react';
import { useSelector } from 'react-redux';
import { useAllDevicesQuery } from '@/api/api';
import type { Device } from '@/api/types';
import { liveStore } from '@/live/liveStore';
import { useLiveVersion } from '@/live/useLive';
import { selectSession } from '@/session/sessionSlice';

/** A vehicle that the list does not know makes it load again, but not more often than this. */
const RELOAD_INTERVAL_MS = 5_000;

/** The devices on the map's list. */
export interface Fleet {
  devices: Device[] | undefined;
  names: Record<string, string>;
  error: unknown;
  reload: () => void;
}

/** The devices of the selected user. A vehicle that appears live and is not among them loads the list again. */
export function useFleet(): Fleet {
  const { selectedUserId, claims } = useSelector(selectSession);
  const narrowed = selectedUserId && selectedUserId !== claims?.userId ? { userIds: [selectedUserId] } : undefined;
  const { data: devices, error, refetch } = useAllDevicesQuery(narrowed);
  const names = useMemo(() => Object.fromEntries((devices ?? []).map(({ id, name }) => [id, name])), [devices]);

  const version = useLiveVersion();
  const reloadedAt = useRef(0);
  useEffect(() => {
    if (!devices || Date.now() - reloadedAt.current < RELOAD_INTERVAL_MS) return;
    for (const { deviceId } of liveStore.all()) {
      if (deviceId in names) continue;
      reloadedAt.current = Date.now();
      void refetch();
      return;
    }
  }, [version, devices, names, refetch]);

  return { devices, names, error, reload: () => void refetch() };
}
