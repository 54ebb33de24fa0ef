import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useDeviceTrackQuery } from '@/api/calls/positions';
import type { TrackPoint } from '@/api/generated';
import { addDays, dayBegins, dayOf } from '@/i18n/timeZone';
import { useNow } from '@/lib/useNow';
import { usePolling } from '@/lib/usePolling';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';

/** Between two looks the live position goes on. */
const POLL_SECONDS = 60;
const NONE: readonly TrackPoint[] = [];

/** A day, and the fixes of a vehicle on it. */
export interface TrackToday {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  fixes: readonly TrackPoint[];
}

/** What a vehicle has told since midnight, for those who see history. */
export function useTrackToday(deviceId: string): TrackToday {
  const mayRead = can('position:history', useSelector(selectPerson));
  const timeZone = useSelector(selectTimeZone);
  const day = dayOf(useNow(), timeZone);
  const [from, to] = useMemo(
    () => [day, addDays(day, 1)].map((each) => dayBegins(each, timeZone)?.getTime() ?? 0),
    [day, timeZone],
  ) as [number, number];
  const { currentData } = useDeviceTrackQuery(
    { id: deviceId, from: new Date(from).toISOString() },
    { skip: !mayRead, refetchOnMountOrArgChange: true, pollingInterval: usePolling(POLL_SECONDS) },
  );
  return { from, to, fixes: currentData?.items ?? NONE };
}
