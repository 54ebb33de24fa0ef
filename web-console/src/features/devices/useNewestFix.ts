import { useSelector } from 'react-redux';
import { useDeviceMessagesQuery } from '@/api/api';
import type { TrackPoint } from '@/api/generated';
import { usePolling } from '@/lib/usePolling';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

const POLL_SECONDS = 15;

interface NewestFix {
  fix: TrackPoint | undefined;
  isFetching: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** The newest fix of a device with everything that it said, for those who see history; before `to`, where that is named. */
export function useNewestFix(deviceId: string, to?: string): NewestFix {
  const mayRead = can('position:history', useSelector(selectPerson));
  const { currentData, isFetching, error, refetch } = useDeviceMessagesQuery(
    { id: deviceId, outcome: 'accepted', pageSize: 1, to },
    // What was before stays as it is.
    { skip: !mayRead, refetchOnMountOrArgChange: true, pollingInterval: usePolling(to ? 0 : POLL_SECONDS) },
  );
  return { fix: currentData?.items[0]?.fix, isFetching: isFetching && !currentData, error, refetch };
}
