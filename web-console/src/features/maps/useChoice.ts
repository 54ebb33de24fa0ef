import { useCallback, useRef } from 'react';
import { live } from '@/live/live';
import { chosenAfter, type Choosing } from './choosing';
import { useMapAddress } from './useMapAddress';

/** Chooses a vehicle, or several. */
export type Choose = (deviceId: string, how: Choosing) => void;

/** The chosen vehicles, which stand in the address, and how they become others. */
export function useChoice(): { chosen: string[]; choose: Choose; clear: () => void } {
  const { deviceIds: chosen, set } = useMapAddress();
  /** From here on a range goes. */
  const begin = useRef<string | null>(null);
  const choose = useCallback<Choose>(
    (deviceId, how) => {
      const put = (passed: string[]) => set({ deviceIds: chosenAfter(chosen, deviceId, how, passed) }, true);
      if (how === 'range') return void between(begin.current ?? deviceId, deviceId).then(put);
      begin.current = deviceId;
      put([]);
    },
    [chosen, set],
  );
  const clear = useCallback(() => set({ deviceIds: [] }), [set]);
  return { chosen, choose, clear };
}

/** The devices of the list from one to another, both counted; none when one of them is not in it. */
async function between(one: string, other: string): Promise<string[]> {
  const [from, to] = await Promise.all([live.indexOf(one), live.indexOf(other)]);
  return from < 0 || to < 0 ? [] : live.idsBetween(from, to);
}
