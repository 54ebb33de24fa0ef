import { useEffect, useEffectEvent } from 'react';
import { usePolling } from '@/lib/usePolling';
import { isOver, type Job } from '@/resource/jobs';

/** Asks again every second while one of these jobs goes on and somebody can see it. */
export function useAskAgain(jobs: readonly Job[], ask: () => unknown): void {
  const interval = usePolling(jobs.every(isOver) ? 0 : 1);
  const again = useEffectEvent(ask);
  useEffect(() => {
    if (interval === 0) return;
    const timer = setInterval(() => void again(), interval);
    return () => clearInterval(timer);
  }, [interval]);
}
