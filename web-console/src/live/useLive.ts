import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { live, type LiveList } from './live';
import type { LiveDevice, StateCounts } from './liveDevice';
import type { LivePosition } from './position';
import type { ListQuery } from './protocol';

/**
 * A device as it is now, redrawn at most four times a second: null when the user sees no such device, undefined while
 * that is not known.
 */
export function useLiveDevice(id: string | null): LiveDevice | null | undefined {
  const subscribe = useCallback(
    (changed: () => void) => (id === null ? () => undefined : live.watch(id, changed)),
    [id],
  );
  return useSyncExternalStore(subscribe, () => (id === null ? null : live.device(id)));
}

/** The newest position of a device, redrawn at most four times a second; undefined while there is none. */
export function useLivePosition(deviceId: string): LivePosition | undefined {
  return useLiveDevice(deviceId)?.position ?? undefined;
}

/** What some devices are called, as far as that is known. */
export function useLiveNames(ids: readonly string[]): readonly string[] {
  const key = JSON.stringify(ids);
  const subscribe = useCallback(
    (changed: () => void) => {
      const ends = (JSON.parse(key) as string[]).map((id) => live.watch(id, changed));
      return () => ends.forEach((end) => end());
    },
    [key],
  );
  // A text is the same while the names are.
  const names = useSyncExternalStore(subscribe, () => JSON.stringify(ids.map((id) => live.device(id)?.name ?? '')));
  return useMemo(() => JSON.parse(names) as string[], [names]);
}

/** How many vehicles are in each state, redrawn at most once a second. */
export function useLiveCounts(): StateCounts {
  return useSyncExternalStore(live.subscribe, live.counts);
}

/** Whether all that was known when the connection opened has come; not any more once another fleet is looked at. */
export function useLiveSettled(): boolean {
  return useSyncExternalStore(live.subscribe, live.settled);
}

/** The part of a list that is looked at, redrawn at most four times a second. One component at a time may use it. */
export function useLiveList(query: ListQuery): LiveList {
  const key = JSON.stringify(query);
  useEffect(() => live.ask(JSON.parse(key) as ListQuery), [key]);
  useEffect(() => () => live.ask(null), []);
  return useSyncExternalStore(live.subscribe, live.list);
}
