import { useMemo, useState } from 'react';

/** The chosen rows of a list, over its pages. */
export interface Selection<T> {
  /** The chosen ones that were on the screen, by key. */
  rows: ReadonlyMap<string, T>;
  /** Everything that matches is chosen, also what was never on the screen. */
  everything: boolean;
  /** How many are chosen of so many that match. */
  count: (total: number) => number;
  set: (rows: Iterable<T>) => void;
  setEverything: () => void;
  clear: () => void;
}

interface State<T> {
  scope: string;
  rows: ReadonlyMap<string, T>;
  everything: boolean;
}

interface SelectionOptions<T> {
  keyOf: (row: T) => string;
  /** Search and filters: another scope is another list, in which nothing is chosen yet. */
  scope: string;
  /** The rows on the screen, as the server last sent them. */
  present: T[] | undefined;
}

/** Choosing rows of a list. */
export function useSelection<T>({ keyOf, scope, present }: SelectionOptions<T>): Selection<T> {
  const [state, setState] = useState<State<T>>({ scope, rows: new Map(), everything: false });
  return useMemo(() => {
    const valid = state.scope === scope;
    const newest = new Map((present ?? []).map((row) => [keyOf(row), row]));
    const rows = new Map(valid ? [...state.rows].map(([key, row]) => [key, newest.get(key) ?? row]) : []);
    const everything = valid && state.everything;
    return {
      rows,
      everything,
      count: (total) => (everything ? total : rows.size),
      set: (chosen) =>
        setState({ scope, everything: false, rows: new Map([...chosen].map((row) => [keyOf(row), row])) }),
      setEverything: () => setState({ scope, rows, everything: true }),
      clear: () => setState({ scope, rows: new Map(), everything: false }),
    };
  }, [state, scope, present, keyOf]);
}
