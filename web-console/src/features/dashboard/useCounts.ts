import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useFleetDayQuery } from '@/api/calls/devices';
import { useDocumentSummaryQuery } from '@/api/calls/documents';
import { useMaintenanceSummaryQuery } from '@/api/calls/maintenance';
import { addDays } from '@/i18n/timeZone';
import { usePolling } from '@/lib/usePolling';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';

/** What depends on the calendar and on meters changes without anybody doing anything; it is looked at this often. */
const POLL_SECONDS = 300;

/** How many maintenances are in each state; two tiles share the one question. */
export function useMaintenanceCounts() {
  const allowed = can('maintenance:list', useSelector(selectPerson));
  const again = { pollingInterval: usePolling(POLL_SECONDS), refetchOnMountOrArgChange: true };
  return useMaintenanceSummaryQuery({}, { skip: !allowed, ...again });
}

/** How many documents are in each state. */
export function useDocumentCounts() {
  const allowed = can('document:list', useSelector(selectPerson));
  const again = { pollingInterval: usePolling(POLL_SECONDS), refetchOnMountOrArgChange: true };
  return useDocumentSummaryQuery({}, { skip: !allowed, ...again });
}

/** What the vehicles have come to on a day; the server knows anew once a minute. */
export function useFleetDay(day: string) {
  const { asked, skip } = useDayQuestion(day);
  return useFleetDayQuery(asked, { skip, pollingInterval: usePolling(60), refetchOnMountOrArgChange: true });
}

/** What they had come to on the day before, which does not change any more. */
export function useYesterday(day: string) {
  const { asked, skip } = useDayQuestion(addDays(day, -1));
  return useFleetDayQuery(asked, { skip }).currentData;
}

function useDayQuestion(day: string) {
  const skip = !can('device:list', useSelector(selectPerson));
  const user = useSelector(selectOtherUser);
  return { asked: useMemo(() => ({ day, userIds: user === null ? undefined : [user] }), [day, user]), skip };
}
