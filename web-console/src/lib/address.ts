import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { dayOf } from '@/i18n/timeZone';

/** What an entry of the history remembers besides its address. */
export interface EntryState {
  /** The address is the whole state of its screen: nothing of what is usual is put in. */
  settled?: boolean;
  /** The parameters of the list that somebody came from. */
  list?: string;
}

/**
 * Changes the parameters of the address; `push` makes a step for the back button. What follows on the screen waits for its code,
 * and lets other things go first, unless it is wanted `atOnce`.
 */
export type ChangeAddress = (
  change: (search: URLSearchParams) => void,
  step?: 'push' | 'replace',
  atOnce?: boolean,
) => void;

/** What was written and is not on the screen yet, so that of two changes in a row neither is lost. */
let pending: { entry: string; search: URLSearchParams } | null = null;
/** Parts of the screen that have to do with the address. */
let parts = 0;

/** What was written will not come: somebody decided to stay. */
export function discardPendingSearch(): void {
  pending = null;
}

/** The parameters of the address, and how they change. */
export function useAddress(): { search: URLSearchParams; settled: boolean; change: ChangeAddress } {
  const { search: text, key, state } = useLocation();
  const navigate = useNavigate();
  const settled = (state as EntryState | null)?.settled === true;
  const search = useMemo(() => new URLSearchParams(text), [text]);
  useEffect(() => {
    // Another part of the screen may begin or end while a change is on its way.
    if (pending?.entry !== key) pending = null;
    parts += 1;
    return () => {
      parts -= 1;
      if (parts === 0) pending = null;
    };
  }, [key]);
  const change = useCallback<ChangeAddress>(
    (mutate, step = 'replace', atOnce = false) => {
      const before = new URLSearchParams(pending?.entry === key ? pending.search : text);
      const next = new URLSearchParams(before);
      mutate(next);
      if (next.toString() === before.toString() && settled) return;
      pending = { entry: key, search: next };
      const entry: EntryState = { ...(state as EntryState | null), settled: true };
      void navigate({ search: next.toString() }, { replace: step === 'replace', state: entry, flushSync: atOnce });
    },
    [navigate, key, text, state, settled],
  );
  return { search, settled, change };
}

/** Where the guided way to a device begins for something that is known already: the device itself, another like it, or an IMEI. */
export function setupPath(
  known: { device_id?: string; like?: string; imei?: string; tenant_id?: string } = {},
): string {
  const search = new URLSearchParams(Object.entries(known).filter(([, value]) => value !== '')).toString();
  return `/devices/setup${search && `?${search}`}`;
}

/** Vehicles that a playback shows at a time. */
export const PLAYED_MAX = 4;

/** Where the playback of a vehicle, or of several, is: of today, or of the day of an instant, with the clock standing at that. */
export function playbackPath(deviceIds: string | readonly string[], at?: string, timeZone?: string): string {
  const search = new URLSearchParams([deviceIds].flat().map((id) => ['device_id', id]));
  if (at !== undefined) {
    search.set('from', dayOf(Date.parse(at), timeZone));
    search.set('at', at);
  }
  return `/playback?${search.toString()}`;
}
