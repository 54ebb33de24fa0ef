import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListEventsQuery, type ListEventsApiArg } from '@/api/calls/events';
import { useEventTexts } from '@/i18n/useEventTexts';
import { useFormats } from '@/i18n/useFormats';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import type { EventPlace } from '@/map/eventPlaces';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import type { Scheme } from '@/theme/tokens';
import { placesOf, playedEvents, rankColor, type MarkedEvent, type PlayedEvent } from './events';
import type { PlaybackAddress } from './usePlaybackAddress';

/** What the server gives at most at a time. */
const PAGE = 500;
/** As many as are shown: of more than these, the newest. */
export const EVENTS_MAX = 4 * PAGE;
/** What happens to a vehicle on its way; papers run out wherever it is. */
const KINDS = ['alarm.*', 'vehicle.*', 'fuel.*', 'device.*'];

/** What happened to the vehicles of a playback, and how it stands with loading it. */
export interface PlaybackEvents {
  /** Whether whoever looks may see events; without that there are none. */
  allowed: boolean;
  loading: boolean;
  /** Some could not be loaded. */
  failed: boolean;
  /** There are older ones that are not shown. */
  cutOff: boolean;
  /** All kinds that there are, and those of all that are not shown. */
  kinds: readonly string[];
  hidden: readonly string[];
  setHidden: (kinds: string[]) => void;
  /** Where those that are shown happened, of all vehicles. */
  places: readonly EventPlace[];
  /** Those of the vehicle whose details are shown, in the order of time. */
  ofActive: readonly MarkedEvent[];
  /** Asks again for what could not be loaded. */
  retry: () => void;
  /** Asks again for everything. */
  reload: () => void;
}

/** The events of the vehicles and days of an address, without those that it hides. */
export function usePlaybackEvents(
  { deviceIds, from, to, hiddenKinds, set }: PlaybackAddress,
  active: string | undefined,
  scheme: Scheme,
): PlaybackEvents {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { events, ...state } = useLoadedEvents(deviceIds, from, to);
  // The address is another one whenever anything of it changes; the kinds seldom are.
  const hidden = hiddenKinds.join();
  const shown = useMemo(() => {
    const without = new Set(hidden.split(','));
    return events.filter(({ event }) => !without.has(event.kind));
  }, [events, hidden]);
  const marked = useMarked(shown, deviceIds.length > 1, scheme);
  const places = useMemo(
    () => placesOf(marked, (count) => t('events.more', { count, formatted: formats.number(count) })),
    [marked, t, formats],
  );
  const ofActive = useMemo(() => marked.filter(({ event }) => event.device_id === active), [marked, active]);
  const kinds = useMemo(() => [...new Set(events.map(({ event }) => event.kind))], [events]);
  return {
    ...state,
    kinds,
    hidden: hiddenKinds,
    setHidden: (wanted) => set({ hiddenKinds: wanted }),
    places,
    ofActive,
  };
}

/** The events with what is marked of them; of several vehicles they say of which. */
function useMarked(events: readonly PlayedEvent[], several: boolean, scheme: Scheme): MarkedEvent[] {
  const { nameOf, summaryOf } = useEventTexts();
  const formats = useFormats();
  return useMemo(
    () =>
      events.map((played): MarkedEvent => {
        const { event, at, rank } = played;
        const title = () =>
          [several ? event.device_name : '', nameOf(event.kind), summaryOf(event), formats.dateTime(at)]
            .filter((text) => text !== '')
            .join(' · ');
        return { ...played, color: rankColor(rank, scheme), title };
      }),
    [events, several, scheme, nameOf, summaryOf, formats],
  );
}

/** The newest events between two instants: the first page says how many more there are. */
function useLoadedEvents(deviceIds: string[], from: number, to: number) {
  const allowed = can('event:list', useSelector(selectPerson));
  const asked: ListEventsApiArg = {
    deviceId: deviceIds,
    kind: KINDS,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    sort: '-occurred_at',
    pageSize: PAGE,
  };
  const first = usePage(asked, 1, allowed && deviceIds.length > 0);
  const total = first.currentData?.total ?? 0;
  const second = usePage(asked, 2, total > PAGE);
  const third = usePage(asked, 3, total > 2 * PAGE);
  const fourth = usePage(asked, 4, total > 3 * PAGE);
  const pages = [first, second, third, fourth];
  const [one, two, three, four] = [first.currentData, second.currentData, third.currentData, fourth.currentData];
  const events = useMemo(() => playedEvents([one, two, three, four]), [one, two, three, four]);
  // Kept until the next try has come to something, so that the line that says so does not flicker.
  const failed = pages.filter(({ error }) => error !== undefined);

  const retry = () => {
    for (const page of failed) void page.refetch();
  };
  const reload = () => {
    for (const page of pages) if (!page.isUninitialized) void page.refetch();
  };
  useRetryWhenBack(failed[0]?.error, retry);
  return {
    events,
    allowed,
    loading: pages.some(({ isFetching, currentData }) => isFetching && !currentData),
    failed: failed.length > 0,
    cutOff: total > EVENTS_MAX,
    retry,
    reload,
  };
}

const usePage = (asked: ListEventsApiArg, page: number, wanted: boolean) =>
  useListEventsQuery({ ...asked, page }, { skip: !wanted, refetchOnMountOrArgChange: true });
