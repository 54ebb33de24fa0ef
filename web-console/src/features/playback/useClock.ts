import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { TrackSegment } from '@/api/generated';
import { PlaybackClock } from './track/clock';

/** The time on the screen moves on no more often than this, in milliseconds of real time. */
const SHOWN_EVERY = 100;

/** A clock that goes from one instant to another, milliseconds since 1970. */
export function useClock(from: number, to: number): PlaybackClock {
  const [clock] = useState(() => new PlaybackClock({ from, to }));
  useEffect(() => clock.setSpan({ from, to }), [clock, from, to]);
  useEffect(() => () => clock.pause(), [clock]);
  return clock;
}

/** Whether the clock goes. */
export function usePlaying(clock: PlaybackClock): boolean {
  const subscribe = useCallback((listener: () => void) => clock.subscribe(listener), [clock]);
  return useSyncExternalStore(subscribe, () => clock.playing);
}

/** The place of the segment at the time of the clock; -1 before the first. Whoever shows it is drawn anew when it changes. */
export function useSegmentAt(clock: PlaybackClock, segments: readonly TrackSegment[]): number {
  const begins = useMemo(() => segments.map(({ from }) => Date.parse(from)), [segments]);
  return useLastPassedIndex(clock, begins);
}

/** The place of the last of these instants, in the order of time, that the clock has come to; -1 before the first. */
export function useLastPassedIndex(clock: PlaybackClock, instants: readonly number[]): number {
  const subscribe = useCallback((listener: () => void) => clock.subscribe(listener), [clock]);
  return useSyncExternalStore(subscribe, () => instants.findLastIndex((instant) => instant <= clock.now));
}

/** The time of the clock for what is written: not with each frame. */
export function useClockTime(clock: PlaybackClock): number {
  const store = useMemo(() => throttled(clock), [clock]);
  return useSyncExternalStore(store.subscribe, store.read);
}

/** A clock that is read now and then. */
function throttled(clock: PlaybackClock) {
  let shown = clock.now;
  let last = 0;
  const subscribe = (listener: () => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      last = performance.now();
      shown = clock.now;
      listener();
    };
    const end = clock.subscribe(() => {
      if (timer !== undefined) return;
      const wait = last + SHOWN_EVERY - performance.now();
      if (wait <= 0) show();
      else timer = setTimeout(show, wait);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  };
  return { subscribe, read: () => shown };
}
