import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useListAlarmsQuery } from '@/api/calls/alarms';
import type { Alarm, AlarmSeverity } from '@/api/generated';
import { usePolling } from '@/lib/usePolling';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';

/** They are asked for again this often, besides whenever the socket tells of news. */
const POLL_SECONDS = 60;

interface OpenAlarms {
  /** How many there are; undefined while that is not known. */
  count: number | undefined;
  /** The one that was raised last; null when there is none. */
  newest: Alarm | null | undefined;
  error: unknown;
  refetch: () => void;
}

/**
 * The alarms that nobody has acknowledged, of the fleet that is looked at; those that ask so much, if that is said. Null for who
 * may not see alarms.
 */
export function useOpenAlarms(severity?: AlarmSeverity): OpenAlarms | null {
  const userId = useSelector(selectOtherUser) ?? undefined;
  const allowed = can('alarm:list', useSelector(selectPerson));
  const asked = useMemo(
    () => ({
      userId,
      state: ['open' as const],
      severity: severity && [severity],
      sort: '-first_at',
      page: 1,
      pageSize: 1,
    }),
    [userId, severity],
  );
  const { currentData, error, refetch } = useListAlarmsQuery(asked, {
    skip: !allowed,
    pollingInterval: usePolling(POLL_SECONDS),
  });
  if (!allowed) return null;
  return {
    count: currentData?.total,
    newest: currentData && (currentData.items[0] ?? null),
    error,
    refetch: () => void refetch(),
  };
}
