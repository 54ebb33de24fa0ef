import { useEffect, useRef } from 'react';
import { isApiError } from '@/api/errors';

/** A server that is away is asked again this often. */
const RETRY_MS = 5_000;

/** While no server answers, tries again and again, and at once when the network is back. */
export function useRetryWhenBack(error: unknown, retry: () => void): void {
  const away = isApiError(error) && (error.status === 0 || error.status === 503);
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    if (!away) return;
    const again = () => latest.current();
    const timer = setInterval(again, RETRY_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [away]);
}
