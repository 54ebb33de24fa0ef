import { useCallback, useRef, useState } from 'react';
import { live } from '@/live/live';
import { chosenAfter, type Choosing } from './choosing';
import { useMapAddress } from './useMapAddress';

/** Chooses a vehicle, or several. */
export type Choose = (deviceId: string, how: Choosing) => void;

/** The chosen vehicles, which stand in the address, and how they become others. */
export interface Choice {
  chosen: string[];
  /** The only one, whose card stands in front of the list; not while vehicles are ticked off there. */
  opened: string | null;
  choose: Choose;
  /** Shows the list again; who is chosen stays so. */
  shut: () => void;
  clear: () => void;
}

/** Knows which vehicles are chosen. */
export function useChoice(): Choice {
  const { deviceIds: chosen, set } = useMapAddress();
  const [ticking, setTicking] = useState(false);
  /** From here on a range goes. */
  const begin = useRef<string | null>(null);
  const choose = useCallback<Choose>(
    (deviceId, how) => {
      setTicking(how !== 'only');
      const put = (passed: string[]) => set({ deviceIds: chosenAfter(chosen, deviceId, how, passed) }, true);
      if (how === 'range') return void between(begin.current ?? deviceId, deviceId).then(put);
      begin.current = deviceId;
      put([]);
    },
    [chosen, set],
  );
  const clear = useCallback(() => {
    setTicking(false);
    set({ deviceIds: [] });
  }, [set]);
  const [only = null] = chosen;
  return { chosen, opened: chosen.length === 1 && !ticking ? only : null, choose, shut: () => setTicking(true), clear };
}

/** The devices of the list from one to another, both counted; none when one of them is not in it. */
async function between(one: string, other: string): Promise<string[]> {
  const [from, to] = await Promise.all([live.indexOf(one), live.indexOf(other)]);
  return from < 0 || to < 0 ? [] : live.idsBetween(from, to);
}
