import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Stands in the address for a thing that does not exist yet. */
export const NEW = 'new';
const PARAM = 'open';

/** Which thing's drawer is open, kept in the address: an id, `new`, or null. */
export function useDrawerParam(): [string | null, (open: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const show = useCallback(
    (open: string | null) =>
      setSearch((current) => {
        const next = new URLSearchParams(current);
        if (open === null) next.delete(PARAM);
        else next.set(PARAM, open);
        return next;
      }),
    [setSearch],
  );
  return [search.get(PARAM), show];
}
