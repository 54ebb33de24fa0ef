import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { DirectResult, Dispatch } from '@/api/direct';
import { runMany, type RunManyResult } from './runMany';
import type { Selection } from './selection';
import { toastSuccess } from './toast';

interface BulkOptions<T> {
  selection: Selection<T>;
  /** Everything that matches, from the server. */
  everything: (options: {
    signal: AbortSignal;
    onProgress: (loaded: number, total: number) => void;
  }) => (dispatch: Dispatch) => Promise<DirectResult<T[]>>;
}

/** Something to do to many rows. */
export interface BulkRun<T> {
  one: (row: T, signal: AbortSignal) => (dispatch: Dispatch, getState: () => unknown) => Promise<{ error?: unknown }>;
  /** What was done to so many, e.g. "3 devices deleted." */
  done: (count: number) => string;
  /** What shows the rows has to be loaded again. */
  afterwards: (done: T[]) => void;
}

/** What a bulk act left behind. */
export type BulkOutcome<T> = RunManyResult<T> & { error?: unknown };

/** Does something to the chosen rows, one by one. Rows that failed stay chosen. */
export function useBulk<T>({ selection, everything }: BulkOptions<T>) {
  const dispatch = useDispatch<Dispatch>();
  const [progress, setProgress] = useState<{ finished: number; total: number } | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome<T> | null>(null);
  const running = useRef<AbortController | null>(null);

  const run = async (act: BulkRun<T>) => {
    const abort = new AbortController();
    running.current = abort;
    const { signal } = abort;
    setProgress({ finished: 0, total: selection.rows.size });
    const found = selection.everything
      ? await dispatch(everything({ signal, onProgress: (_loaded, total) => setProgress({ finished: 0, total }) }))
      : { data: [...selection.rows.values()] };
    if (!found.data) {
      setProgress(null);
      if (!signal.aborted) setOutcome({ done: [], failed: [], untried: [], error: found.error });
      return;
    }
    const rows = found.data;
    const result = await runMany(rows, (row) => dispatch(act.one(row, signal)), {
      signal,
      onProgress: (finished) => setProgress({ finished, total: rows.length }),
    });
    setProgress(null);
    selection.set([...result.failed.map(({ row }) => row), ...result.untried]);
    if (result.done.length > 0) {
      toastSuccess(act.done(result.done.length));
      act.afterwards(result.done);
    }
    if (result.failed.length > 0) setOutcome(result);
  };

  return { run, progress, stop: () => running.current?.abort(), outcome, forget: () => setOutcome(null) };
}
