import { useLocalStorage } from '@mantine/hooks';
import { useSelector } from 'react-redux';
import { selectPerson } from '@/session/sessionSlice';
import { maySee, readArrangement, USUAL_ARRANGEMENT, type Arrangement, type TileKey } from './tiles';

interface ArrangementState {
  arrangement: Arrangement;
  /** Those that this person may see, the hidden ones too. */
  seen: TileKey[];
  /** Those on the screen. */
  shown: TileKey[];
  arrange: (arrangement: Arrangement) => void;
  /** As everybody finds it at first. */
  reset: () => void;
}

/** How a person has arranged the dashboard in this browser: the next one at the same machine has their own order. */
export function useArrangement(): ArrangementState {
  const person = useSelector(selectPerson);
  const [arrangement, arrange, reset] = useLocalStorage<Arrangement>({
    key: `dashboard.${person?.id ?? ''}`,
    defaultValue: USUAL_ARRANGEMENT,
    getInitialValueInEffect: false,
    deserialize: readArrangement,
  });
  const seen = arrangement.order.filter((tile) => maySee(tile, person));
  return { arrangement, seen, shown: seen.filter((tile) => !arrangement.hidden.includes(tile)), arrange, reset };
}
