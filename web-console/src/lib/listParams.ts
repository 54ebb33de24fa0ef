import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** What a list can be asked for. */
export interface ListParams {
  page: number;
  pageSize: number;
  sort: string;
  q: string;
}

/** Page sizes to choose from. */
export const PAGE_SIZES = [25, 50, 100] as const;

const positive = (text: string | null, otherwise: number) => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
};

/** Reads a list's state from the address. */
export function readListParams(search: URLSearchParams, defaultSort: string): ListParams {
  const pageSize = positive(search.get('page_size'), PAGE_SIZES[0]);
  return {
    page: positive(search.get('page'), 1),
    pageSize: PAGE_SIZES.some((size) => size === pageSize) ? pageSize : PAGE_SIZES[0],
    sort: search.get('sort') ?? defaultSort,
    q: search.get('q') ?? '',
  };
}

/** Writes a change into the address; what is as usual is left out. Any change but of the page leads to the first page. */
export function writeListParams(search: URLSearchParams, change: Partial<ListParams>, defaultSort: string): URLSearchParams {
  const next = { ...readListParams(search, defaultSort), page: 1, ...change };
  const written = new URLSearchParams(search);
  const put = (name: string, value: string, usual: string) =>
    value === usual ? written.delete(name) : written.set(name, value);
  put('page', String(next.page), '1');
  put('page_size', String(next.pageSize), String(PAGE_SIZES[0]));
  put('sort', next.sort, defaultSort);
  put('q', next.q, '');
  return written;
}

/** A list's page, order and search, kept in the address so that a link shows the same. */
export function useListParams(defaultSort: string): [ListParams, (change: Partial<ListParams>) => void] {
  const [search, setSearch] = useSearchParams();
  const params = useMemo(() => readListParams(search, defaultSort), [search, defaultSort]);
  const change = useCallback(
    (part: Partial<ListParams>) =>
      setSearch((current) => writeListParams(current, part, defaultSort), { replace: part.page === undefined }),
    [setSearch, defaultSort],
  );
  return [params, change];
}
