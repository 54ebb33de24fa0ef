import { useEffect, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useDeviceMessagesQuery } from '@/api/calls/positions';
import type { DeviceMessage } from '@/api/generated';
import { usePolling } from '@/lib/usePolling';
import { useLivePosition } from '@/live/useLive';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { useNewestFix } from '../useNewestFix';
import { newestOf, type NewestFix } from './newestFix';

/** History is asked again so often, should the live connection not tell. */
const POLL_SECONDS = 5;
const REFUSED_SHOWN = 5;

/** What came of a device. */
export interface Arrivals {
  fix: NewestFix | null;
  /** What was refused of it, the newest first. */
  refused: DeviceMessage[];
}

/** What comes of a device: told by the shell's live session, and asked of its history by those who may see that. */
export function useArrivals(deviceId: string): Arrivals {
  const live = useLivePosition(deviceId);
  const mayRead = can('position:history', useSelector(selectPerson));
  const { fix: stored, refetch } = useNewestFix(deviceId, { pollSeconds: POLL_SECONDS });
  const refused = useDeviceMessagesQuery(
    { id: deviceId, outcome: 'refused', pageSize: REFUSED_SHOWN },
    { skip: !mayRead, refetchOnMountOrArgChange: true, pollingInterval: usePolling(POLL_SECONDS) },
  );
  const recordedAt = live?.recordedAt;
  useEffect(() => {
    // History says of the same fix what the socket leaves out: litres, whether there are satellites.
    if (mayRead && recordedAt !== undefined) void refetch();
  }, [mayRead, recordedAt, refetch]);
  const fix = useMemo(() => newestOf(live, stored), [live, stored]);
  return { fix, refused: refused.currentData?.items ?? [] };
}
