import { useCallback, useEffect, useState } from 'react';
import type { ListParams } from './listParams';

/** So many entries the server counts, and as far it reads pages by their number: beyond, it reads behind the page before. */
const COUNTED = 10_000;

const NONE: ReadonlyMap<number, string> = new Map();

interface DeepPages {
  /** What the page on the screen is asked for by. */
  asked: { page?: number; after?: string };
  /** Remembers where that page ends, by what its answer says. */
  remember: (next: string) => void;
}

/**
 * The pages of a list whose numbers the server does not take any more. One comes to them from the page before, and back by
 * what was remembered on the way; whoever comes from elsewhere is led to the last page that has a number.
 */
export function useDeepPages(
  /** Search and filters: in another scope other pages were on the way. */
  scope: string,
  { page, pageSize, sort }: Pick<ListParams, 'page' | 'pageSize' | 'sort'>,
  change: (part: Partial<ListParams>) => void,
): DeepPages {
  const list = JSON.stringify([scope, sort, pageSize]);
  const [kept, keep] = useState({ list, ends: NONE });
  const ends = kept.list === list ? kept.ends : NONE;
  const last = COUNTED / pageSize;
  const after = page > last ? ends.get(page - 1) : undefined;
  const lost = page > last && after === undefined;
  useEffect(() => {
    if (lost) change({ page: last });
  }, [lost, last, change]);
  const remember = useCallback(
    (next: string) => {
      if (page < last) return;
      keep((present) => {
        const known = present.list === list ? present.ends : NONE;
        return known.get(page) === next ? present : { list, ends: new Map([...known, [page, next]]) };
      });
    },
    [list, page, last],
  );
  return { asked: after === undefined ? { page: Math.min(page, last) } : { after }, remember };
}

/** Remembers where the page on the screen ends, when it has come. */
export function useEndOfPage({ remember }: DeepPages, next: string | undefined): void {
  useEffect(() => {
    if (next !== undefined) remember(next);
  }, [remember, next]);
}
