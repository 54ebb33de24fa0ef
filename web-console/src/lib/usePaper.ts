import { useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { Answered, Dispatch } from '@/api/direct';

/** Loads what goes onto paper. */
export type PaperLoader<T> = (options: {
  signal: AbortSignal;
  onProgress: (loaded: number, total: number) => void;
}) => (dispatch: Dispatch) => Promise<Answered<T>>;

/** What goes onto paper, loaded once by a loader that stays the same. */
export function usePaper<T>(load: PaperLoader<T>) {
  const dispatch = useDispatch<Dispatch>();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState({ loaded: 0, total: 0 });
  const [answer, setAnswer] = useState<Answered<T>>({});
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
