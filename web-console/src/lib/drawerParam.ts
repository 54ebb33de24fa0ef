import { useCallback } from 'react';
import { useAddress } from './address';

/** Stands in the address for a thing that does not exist yet. */
export const NEW = 'new';
const OPEN = 'open';
const TAB = 'tab';

/** Which thing's drawer is open at an address. */
export const openIn = (search: URLSearchParams): string | null => search.get(OPEN);

/** Which thing's drawer is open, kept in the address: an id, `new`, or null. */
export function useDrawerParam(): [string | null, (open: string | null) => void] {
  const { search, change } = useAddress();
  const show = useCallback(
    (open: string | null) =>
      change((next) => {
        next.delete(TAB);
        if (open === null) next.delete(OPEN);
        else next.set(OPEN, open);
      }, 'push'),
    [change],
  );
  return [openIn(search), show];
}

/** Which tab of the open drawer is in front, kept in the address; null for the first. */
export function useTabParam(): [string | null, (tab: string | null) => void] {
  const { search, change } = useAddress();
  const show = useCallback(
    (tab: string | null) =>
      change((next) => {
        if (tab === null) next.delete(TAB);
        else next.set(TAB, tab);
      }),
    [change],
  );
  return [search.get(TAB), show];
}
