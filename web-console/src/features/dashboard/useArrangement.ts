import { useState } from 'react';
import { useSelector } from 'react-redux';
import { adoptPreference, usePreference } from '@/lib/usePreference';
import { selectPerson } from '@/session/sessionSlice';
import { isChosen, maySee, readArrangement, type Arrangement, type TileKey } from './tiles';

const KEY = 'dashboard';

interface ArrangementState {
  arrangement: Arrangement;
  /** Those that this person may see, the hidden ones too. */
  seen: TileKey[];
  /** Those on the screen. */
  shown: TileKey[];
  /** Whether it is known yet how they want it; until then nothing is shown, rather than something that jumps. */
  isKnown: boolean;
  arrange: (arrangement: Arrangement) => void;
  /** As everybody finds it at first. */
  reset: () => void;
}

/** How a person has arranged the dashboard, the same wherever they sign in. */
export function useArrangement(): ArrangementState {
  const person = useSelector(selectPerson);
  useState(() => migrateLocalArrangement(person?.id));
  const [chosen, choose] = usePreference(KEY);
  const arrangement = readArrangement(chosen);
  const isKnown = chosen !== undefined;
  const seen = arrangement.order.filter((tile) => maySee(tile, person));
  const shown = isKnown ? seen.filter((tile) => !arrangement.hidden.includes(tile)) : [];
  return { arrangement, seen, shown, isKnown, arrange: choose, reset: () => choose(null) };
}

/** Each browser once kept an arrangement of its own, whether its person had chosen one or not. */
function migrateLocalArrangement(personId: string | undefined): void {
  const place = `dashboard.${personId ?? ''}`;
  try {
    const text = localStorage.getItem(place);
    if (text === null) return;
    localStorage.removeItem(place);
    const former = JSON.parse(text) as object | null;
    if (isChosen(former)) adoptPreference(personId, KEY, readArrangement(former));
  } catch {
    // What cannot be read was chosen by nobody.
  }
}
