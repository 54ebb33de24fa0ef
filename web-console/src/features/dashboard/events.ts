import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useEventSummaryQuery, useListEventsQuery } from '@/api/calls/events';
import type { EventSummary } from '@/api/generated';
import { ALARM_KINDS, EVENT_KINDS } from '@/components/events/eventKinds';
import { dayOf } from '@/i18n/timeZone';
import { spanOfDays } from '@/lib/daySpan';
import { useNow } from '@/lib/useNow';
import { usePolling } from '@/lib/usePolling';
import { can, type Ability } from '@/session/abilities';
import { selectOtherUser, selectPerson, selectTimeZone } from '@/session/sessionSlice';

/** Events are asked for again this often, besides whenever the socket tells of new ones. */
const POLL_SECONDS = 30;

/** What says that the system may soon hear no more of a vehicle. */
export const SYSTEM_KINDS = ['device.offline', 'device.low_battery'];

/** What is counted by itself, in the order in which it is shown. */
export const GROUPS = {
  overspeed: ['vehicle.overspeed'],
  harsh: ['vehicle.harsh_acceleration', 'vehicle.harsh_braking', 'vehicle.harsh_cornering'],
  idling: ['vehicle.idling'],
  parked: ['vehicle.parked_too_long'],
  offline: ['device.offline'],
  alarms: ALARM_KINDS,
  drained: ['fuel.drain'],
  filled: ['fuel.fill'],
  documents: ['document.*'],
  maintenance: ['maintenance.*'],
} as const satisfies Record<string, readonly string[]>;
/** One of them. */
export type Group = keyof typeof GROUPS;

/** Without these the server leaves out what the group is of. */
export const GROUP_ABILITIES: Partial<Record<Group, Ability>> = {
  documents: 'document:list',
  maintenance: 'maintenance:list',
};

/** Where the events of these kinds of a day stand, and all of them when no kind is named. */
export function eventsPath(kinds: readonly string[], day: string): string {
  const search = new URLSearchParams(kinds.map((kind) => ['kind', kind]));
  search.append('from', day);
  search.append('to', day);
  return `/events?${search.toString()}`;
}

/** The day that it is by the tenant's clocks, e.g. `2026-11-21`. */
export function useToday(): string {
  return dayOf(useNow(), useSelector(selectTimeZone));
}

/** How many events there have been on a day, by their kinds: one question for all tiles. */
export function useEventCounts(day: string) {
  const timeZone = useSelector(selectTimeZone);
  const userId = useSelector(selectOtherUser) ?? undefined;
  const allowed = can('event:list', useSelector(selectPerson));
  const asked = useMemo(() => {
    const { from, to } = spanOfDays({ from: [day], to: [day] }, timeZone);
    return { from: from[0], to: to[0], userId };
  }, [day, timeZone, userId]);
  return useEventSummaryQuery(asked, { skip: !allowed, pollingInterval: usePolling(POLL_SECONDS) });
}

/** How many of them are of these kinds; all of them when no kind is named, none when nothing is known yet. */
export function countOf(summary: EventSummary | undefined, kinds: readonly string[]): number | undefined {
  if (!summary || kinds.length === 0) return summary?.total;
  const isMeant = (kind: string) =>
    kinds.some((wanted) => (wanted.endsWith('*') ? kind.startsWith(wanted.slice(0, -1)) : kind === wanted));
  return summary.items.reduce((sum, { kind, count }) => (isMeant(kind) ? sum + count : sum), 0);
}

/** What tells of a fleet: without engines that are switched on and off, which are many and ask nothing. */
const TELLING_KINDS = EVENT_KINDS.filter((kind) =>
  kind.startsWith('vehicle.') ? !/\.(\*|ignition_o.*)$/.test(kind) : kind.endsWith('*'),
);

/** The newest events, whatever their day. */
export function useNewestEvents(count: number) {
  const userId = useSelector(selectOtherUser) ?? undefined;
  const question = { userId, kind: TELLING_KINDS, page: 1, pageSize: count };
  return useListEventsQuery(question, { pollingInterval: usePolling(POLL_SECONDS) });
}
