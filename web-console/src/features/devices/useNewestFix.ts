import { useSelector } from 'react-redux';
import { useDeviceMessagesQuery } from '@/api/calls/positions';
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

interface NewestFixOptions {
  /** How often it is asked for again. */
  pollSeconds?: number;
}

/** The newest fix of a device with everything that it said, for those who see history. */
export function useNewestFix(deviceId: string, { pollSeconds = POLL_SECONDS }: NewestFixOptions = {}): NewestFix {
  const mayRead = can('position:history', useSelector(selectPerson));
  const { currentData, isFetching, error, refetch } = useDeviceMessagesQuery(
    { id: deviceId, outcome: 'accepted', pageSize: 1 },
    { skip: !mayRead, refetchOnMountOrArgChange: true, pollingInterval: usePolling(pollSeconds) },
  );
  return { fix: currentData?.items[0]?.fix, isFetching: isFetching && !currentData, error, refetch };
}
