import { useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { addDays, dayBegins, dayOf } from '@/i18n/timeZone';
import { PLAYED_MAX, useAddress } from '@/lib/address';
import { selectTimeZone } from '@/session/sessionSlice';

/** By what a line has its colours. */
export const COLOURINGS = ['speed', 'trip', 'state'] as const;
/** One of them. */
export type Colouring = (typeof COLOURINGS)[number];
/** Kinds of events that are hidden where nobody has chosen: there are so many of them, and they say little. */
const QUIET_KINDS = ['vehicle.ignition_on', 'vehicle.ignition_off'];

/** What of a playback stands in its address, so that a link opens the same view. */
interface Chosen {
  deviceIds: string[];
  /** Days by the tenant's clocks, both of them whole. */
  firstDay: string;
  lastDay: string;
  colouring: Colouring;
  /** Kinds of events that are not shown. */
  hiddenKinds: string[];
  /** Where the clock stands, milliseconds since 1970; null at the beginning. */
  at: number | null;
}

/** The choices, their instants, and how they change. */
export interface PlaybackAddress extends Chosen {
  /** Milliseconds since 1970, half-open. */
  from: number;
  to: number;
  set: (change: Partial<Chosen>) => void;
}

/**
 * Vehicles, days, colours and the time of the clock; where no day is named that on which the page was opened: what somebody
 * looks at over midnight stays.
 */
export function usePlaybackAddress(): PlaybackAddress {
  const { search, change } = useAddress();
  const timeZone = useSelector(selectTimeZone);
  const [opened] = useState(Date.now);
  const today = dayOf(opened, timeZone);
  return useMemo(() => {
    const begins = (day: string) => dayBegins(day, timeZone)?.getTime();
    const named = (name: string) => {
      const day = search.get(name) ?? '';
      return begins(day) === undefined ? null : day;
    };
    const [from, to] = [named('from'), named('to')];
    const firstDay = from ?? to ?? today;
    const lastDay = to !== null && to >= firstDay ? to : firstDay;
    const at = Date.parse(search.get('at') ?? '');
    const hidden = search.getAll('hide');
    return {
      deviceIds: [...new Set(search.getAll('device_id'))].slice(0, PLAYED_MAX),
      firstDay,
      lastDay,
      from: begins(firstDay) ?? 0,
      to: begins(addDays(lastDay, 1)) ?? 0,
      colouring: COLOURINGS.find((colouring) => colouring === search.get('colour')) ?? 'speed',
      hiddenKinds: hidden.length === 0 ? QUIET_KINDS : hidden.filter((kind) => kind !== ''),
      at: Number.isNaN(at) ? null : at,
      set: (wanted) => change((next) => write(next, wanted)),
    };
  }, [search, change, timeZone, today]);
}

function write(next: URLSearchParams, change: Partial<Chosen>): void {
  const { deviceIds, firstDay, lastDay, colouring, hiddenKinds, at } = change;
  const put = (name: string, value: string) => (value ? next.set(name, value) : next.delete(name));
  if (deviceIds) {
    next.delete('device_id');
    for (const id of deviceIds) next.append('device_id', id);
  }
  if (firstDay !== undefined) put('from', firstDay);
  if (lastDay !== undefined) put('to', lastDay);
  // Of other days, or of another vehicle, the instant means nothing.
  if (firstDay !== undefined || lastDay !== undefined) next.delete('at');
  if (colouring) put('colour', colouring === 'speed' ? '' : colouring);
  if (hiddenKinds) {
    next.delete('hide');
    // An empty one says that nothing is hidden, not even what is usually.
    for (const kind of hiddenKinds.length === 0 ? [''] : hiddenKinds) next.append('hide', kind);
  }
  if (at !== undefined) put('at', at === null ? '' : new Date(at).toISOString());
}
