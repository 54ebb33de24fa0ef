import { useEffect } from 'react';

/** Keeps the screen from going dark, where the browser can. It lets go of that whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let gone = false;
    let lock: WakeLockSentinel | undefined;
    const release = () => void lock?.release().catch(() => undefined);
    const take = async () => {
      if (document.hidden) return;
      try {
        lock = await (navigator as Partial<Navigator>).wakeLock?.request('screen');
      } catch {
        // A battery that runs low counts for more.
      }
      if (gone) release();
    };
    void take();
    const onChange = () => void take();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', onChange);
      release();
    };
  }, []);
}
