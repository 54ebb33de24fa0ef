import { useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { DirectResult, Dispatch } from '@/api/direct';

/** Loads what is printed. */
export type PrintLoader<T> = (options: {
  signal: AbortSignal;
  onProgress: (loaded: number, total: number) => void;
}) => (dispatch: Dispatch) => Promise<DirectResult<T>>;

/** What is printed, loaded once by a loader that stays the same. */
export function usePrintData<T>(load: PrintLoader<T>) {
  const dispatch = useDispatch<Dispatch>();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState({ loaded: 0, total: 0 });
  const [answer, setAnswer] = useState<DirectResult<T>>({});
  const [at] = useState(() => Date.now());
  useEffect(() => {
    const abort = new AbortController();
    const onProgress = (loaded: number, total: number) => setProgress({ loaded, total });
    void dispatch(load({ signal: abort.signal, onProgress })).then((arrived) => {
      if (!abort.signal.aborted) setAnswer(arrived);
    });
    return () => abort.abort();
  }, [dispatch, load, attempt]);
  const reload = useCallback(() => {
    setAnswer({});
    setAttempt((count) => count + 1);
  }, []);
  return { ...answer, progress, reload, at };
}
