import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useListAlarmsQuery } from '@/api/calls/alarms';
import type { Alarm, AlarmSeverity } from '@/api/generated';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';
import { byUrgency } from './urgency';

/** They are asked for again this often, besides whenever the socket tells of news. */
const POLL_MS = 60_000;
/** So many of each severity are known one by one; all are counted. */
const PAGE = 50;

/** Alarms that nobody has acknowledged. */
export interface OpenAlarms {
  /** How many there are; undefined while that is not known. */
  count: number | undefined;
  /** Those that ask most in front; those that were raised last, where there are very many. */
  alarms: readonly Alarm[] | undefined;
  error: unknown;
  refetch: () => void;
}

/**
 * The alarms that nobody has acknowledged, of the fleet that is looked at; those that ask so much, if that is said. Null for who
 * may not see alarms.
 */
export function useOpenAlarms(severity?: AlarmSeverity): OpenAlarms | null {
  const allowed = can('alarm:list', useSelector(selectPerson));
  const critical = useOpen('critical', allowed && severity !== 'warning');
  const warning = useOpen('warning', allowed && severity !== 'critical');
  return useMemo(() => {
    if (!allowed) return null;
    const asked = [critical, warning].filter((each) => each.asked);
    const known = asked.flatMap(({ data }) => data ?? []);
    const complete = known.length === asked.length;
    return {
      count: complete ? known.reduce((sum, { total }) => sum + total, 0) : undefined,
      // What can be had is shown, though the rest cannot.
      alarms: known.length > 0 ? byUrgency(known.flatMap(({ items }) => items)) : undefined,
      error: asked.find(({ error }) => error !== undefined)?.error,
      refetch: () => asked.forEach(({ refetch }) => refetch()),
    };
  }, [allowed, critical, warning]);
}

/** One question for each severity: the newest that asks much is not behind many that ask little. */
function useOpen(severity: AlarmSeverity, asked: boolean) {
  const userId = useSelector(selectOtherUser) ?? undefined;
  const question = useMemo(
    () => ({
      userId,
      state: ['open' as const],
      severity: [severity],
      sort: '-first_at',
      page: 1,
      pageSize: PAGE,
    }),
    [userId, severity],
  );
  const { currentData, error, refetch } = useListAlarmsQuery(question, {
    skip: !asked,
    // Also while nobody sees the page: the title of its tab and the sound tell of an alarm then.
    pollingInterval: POLL_MS,
  });
  return useMemo(
    () => ({ asked, data: currentData, error, refetch: () => void refetch() }),
    [asked, currentData, error, refetch],
  );
}
