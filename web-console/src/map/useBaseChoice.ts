import { useMemo, useState } from 'react';
import {
  choiceInForce,
  loadBaseChoice,
  saveBaseChoice,
  sourceOf,
  type BaseChoice,
  type MapSource,
  type TileSource,
} from './tileSource';
import { useMapSources } from './useMapSources';

/** What lies below the vehicles, and what else could. */
export interface BaseMapState {
  /** The street maps of the server; undefined while they are on their way. */
  offered: readonly MapSource[] | undefined;
  /** What is shown; undefined while nobody knows. */
  choice: BaseChoice | undefined;
  /** What draws it; null for the bundled map. */
  source: TileSource | null | undefined;
  /** Shows something else, and keeps that in this browser. */
  onChoose: (choice: BaseChoice) => void;
}

/** The base map as it was chosen in this browser. */
export function useBaseChoice(): BaseMapState {
  const offered = useMapSources();
  const [kept, setKept] = useState(loadBaseChoice);
  const choice = useMemo(() => choiceInForce(kept, offered), [kept, offered]);
  const source = useMemo(() => sourceOf(choice, offered), [choice, offered]);
  const onChoose = (chosen: BaseChoice) => {
    saveBaseChoice(chosen);
    setKept(chosen);
  };
  return { offered, choice, source, onChoose };
}
