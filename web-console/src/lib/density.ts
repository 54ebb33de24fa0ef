import { useLocalStorage } from '@mantine/hooks';

/** How close the rows of tables stand. */
export type Density = 'comfortable' | 'compact';

/** The user's choice, kept in this browser. */
export function useDensity(): [Density, (density: Density) => void] {
  const [stored, store] = useLocalStorage<Density>({
    key: 'density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
  });
  return [stored === 'compact' ? 'compact' : 'comfortable', store];
}
