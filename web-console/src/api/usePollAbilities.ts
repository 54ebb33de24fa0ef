import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { refreshAbilities } from './refreshAbilities';

/** Who stands before a closed door looks this often whether it is open. */
const POLL_MS = 5_000;

/** While a screen is closed to somebody, asks again and again what they may do: an admin may be giving it to them now. */
export function usePollAbilities(closed: boolean): void {
  const store = useStore();
  useEffect(() => {
    if (!closed) return;
    const timer = setInterval(() => {
      if (!document.hidden) void refreshAbilities(store);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [closed, store]);
}
