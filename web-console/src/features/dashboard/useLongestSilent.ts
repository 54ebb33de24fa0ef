import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { live } from '@/live/live';
import type { SilentVehicle } from '@/live/protocol';
import { useLiveSettled } from '@/live/useLive';
import { selectOtherUser } from '@/session/sessionSlice';

/** Silence grows slowly: it is looked at again this often. */
const REFRESH_MS = 10_000;

/** The vehicles that have been offline for the longest, the longest first; null while that is not known. */
export function useLongestSilent(count: number): SilentVehicle[] | null {
  const settled = useLiveSettled();
  const userId = useSelector(selectOtherUser);
  const [found, setFound] = useState<{ userId: string | null; vehicles: SilentVehicle[] } | null>(null);
  useEffect(() => {
    if (!settled) return;
    let gone = false;
    const ask = () =>
      void live.longestSilent(count).then((vehicles) => {
        if (!gone) setFound({ userId, vehicles });
      });
    ask();
    const timer = setInterval(ask, REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [settled, userId, count]);
  return settled && found?.userId === userId ? found.vehicles : null;
}
