import { useEffect, useRef } from 'react';
import type { PlaybackClock } from './track/clock';
import type { PlaybackAddress } from './usePlaybackAddress';

/** The address follows a clock that stands, after so many milliseconds. */
const SETTLED_MS = 500;

/** The clock begins where the address says, and the address says where it stands. `ready` once there is something to play. */
export function useAddressTime(clock: PlaybackClock, { at, set }: PlaybackAddress, ready: boolean): void {
  const asked = useRef(at);
  useEffect(() => {
    if (!ready || asked.current === null) return;
    clock.seek(asked.current);
    // Once; from then on the clock says where it stands.
    asked.current = null;
  }, [clock, ready]);

  useEffect(() => {
    if (!ready) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = clock.subscribe(() => {
      clearTimeout(timer);
      if (!clock.playing) timer = setTimeout(() => set({ at: Math.round(clock.now) }), SETTLED_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [clock, set, ready]);
}
