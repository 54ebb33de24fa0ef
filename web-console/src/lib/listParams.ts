import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectPerson } from '@/session/sessionSlice';
import { useAddress } from './address';
import { readUsualView } from './savedViews';

/** The chosen values of each filter. */
export type FilterValues = Record<string, string[]>;

/** What a list can be asked for, and what of it is shown. */
export interface ListParams {
  page: number;
  pageSize: number;
  /** A column, `-` before it for descending. */
  sort: string;
  q: string;
  filters: FilterValues;
  /** The columns on the screen, in their order. */
  columns: string[];
}

/** What the address may say of a list, and what holds when it says nothing. */
export interface ListDefinition {
  /** Its name in the browser's storage. */
  table: string;
  sort: string;
  filters?: readonly { name: string }[];
  /** `fixed` ones come first and are always there, `optional` ones are shown when they are chosen. */
  columns: readonly { key: string; fixed?: boolean; optional?: boolean }[];
}

/** Page sizes to choose from. */
export const PAGE_SIZES = [25, 50, 100, 200] as const;

const positive = (text: string | null, otherwise: number) => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
};

/** The columns that a list shows unless others are chosen. */
export const usualColumns = (list: ListDefinition) =>
  list.columns.filter(({ optional }) => !optional).map(({ key }) => key);

/** The chosen columns without those that the list does not have; the fixed ones first. */
function knownColumns(chosen: string[], list: ListDefinition): string[] {
  const fixed = list.columns.filter((column) => column.fixed).map(({ key }) => key);
  const known = chosen.filter((key) => list.columns.some((column) => column.key === key));
  return [...new Set([...fixed, ...known])];
}

/** Reads a list's state from the address. */
export function readListParams(search: URLSearchParams, list: ListDefinition, remembered?: string[]): ListParams {
  const pageSize = positive(search.get('page_size'), PAGE_SIZES[0]);
  const chosen = search.get('columns')?.split(',') ?? remembered;
  const filters = (list.filters ?? [])
    .map(({ name }) => [name, search.getAll(name).filter(Boolean)] as const)
    .filter(([, values]) => values.length > 0);
  return {
    page: positive(search.get('page'), 1),
    pageSize: PAGE_SIZES.some((size) => size === pageSize) ? pageSize : PAGE_SIZES[0],
    sort: search.get('sort') || list.sort,
    q: search.get('q') ?? '',
    filters: Object.fromEntries(filters),
    columns: chosen ? knownColumns(chosen, list) : usualColumns(list),
  };
}

/** Writes a list's state into the address; what is as usual is left out, what belongs to others stays. */
export function writeListParams(search: URLSearchParams, params: ListParams, list: ListDefinition): void {
  const put = (name: string, value: string, usual: string) =>
    value === usual ? search.delete(name) : search.set(name, value);
  put('page', String(params.page), '1');
  put('page_size', String(params.pageSize), String(PAGE_SIZES[0]));
  put('sort', params.sort, list.sort);
  put('q', params.q, '');
  put('columns', params.columns.join(','), usualColumns(list).join(','));
  for (const { name } of list.filters ?? []) {
    search.delete(name);
    for (const value of params.filters[name] ?? []) search.append(name, value);
  }
}

/** The state after a change. What changes the rows leads to the first page. */
export function changedListParams(params: ListParams, change: Partial<ListParams>): ListParams {
  const samePage = Object.keys(change).every((name) => name === 'columns');
  return { ...params, page: samePage ? params.page : 1, ...change };
}

const ofList = (list: ListDefinition) => [
  'page',
  'page_size',
  'sort',
  'q',
  'columns',
  ...(list.filters ?? []).map(({ name }) => name),
];

/** Who comes without any wish sees the view that they have made their usual one. */
function arrive(search: URLSearchParams, list: ListDefinition, view: string | undefined): URLSearchParams {
  if (!view || ofList(list).some((name) => search.has(name))) return search;
  const arrived = new URLSearchParams(view);
  search.forEach((value, name) => arrived.append(name, value));
  return arrived;
}

/** Where the columns that somebody chose are remembered; null for nobody's. */
const columnsKey = (personId: string | undefined, table: string) => `columns.${personId ?? ''}.${table}`;

/**
 * A list's page, order, search, filters and columns, kept in the address so that a link shows the same. Columns are
 * remembered in the browser as well.
 */
export function useListParams(list: ListDefinition): [ListParams, (change: Partial<ListParams>) => void] {
  const personId = useSelector(selectPerson)?.id;
  const { search, settled, change: changeAddress } = useAddress();
  const [remembered, remember] = useRememberedColumns(columnsKey(personId, list.table));

  const usualView = useMemo(() => readUsualView(personId, list.table), [personId, list.table]);
  const read = useCallback(
    (present: URLSearchParams) =>
      readListParams(settled ? present : arrive(present, list, usualView), list, remembered),
    [settled, list, usualView, remembered],
  );
  const params = useMemo(() => read(search), [read, search]);

  // What came from this browser's memory is put into the address, so that copying it shows the same elsewhere.
  useEffect(() => {
    const complete = new URLSearchParams(search);
    writeListParams(complete, params, list);
    if (!settled && !sameQuery(complete, search)) changeAddress((next) => writeListParams(next, params, list));
  }, [search, params, list, settled, changeAddress]);

  const change = useCallback(
    (part: Partial<ListParams>) => {
      if (part.columns) {
        remember(part.columns.join() === usualColumns(list).join() ? undefined : part.columns);
      }
      changeAddress(
        (next) => writeListParams(next, changedListParams(read(next), part), list),
        part.page === undefined && part.filters === undefined ? 'replace' : 'push',
      );
    },
    [changeAddress, read, list, remember],
  );
  return [params, change];
}

/** The columns that this browser remembers of a list; those of another one as soon as that is shown. */
function useRememberedColumns(key: string): [string[] | undefined, (columns: string[] | undefined) => void] {
  const [kept, keep] = useState(() => ({ key, columns: columnsIn(key) }));
  const present = kept.key === key ? kept : { key, columns: columnsIn(key) };
  if (present !== kept) keep(present);
  const remember = useCallback(
    (columns: string[] | undefined) => {
      try {
        if (columns) localStorage.setItem(key, JSON.stringify(columns));
        else localStorage.removeItem(key);
      } catch {
        // A browser that keeps nothing has them in the address.
      }
      keep({ key, columns });
    },
    [key],
  );
  return [present.columns, remember];
}

function columnsIn(key: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
  } catch {
    return undefined;
  }
}

function sameQuery(a: URLSearchParams, b: URLSearchParams): boolean {
  const sorted = (search: URLSearchParams) => {
    const copy = new URLSearchParams(search);
    copy.sort();
    return copy.toString();
  };
  return sorted(a) === sorted(b);
}

/** Of the address, what a saved view keeps: everything but the page, and the columns even when they are the usual ones. */
export function viewQuery(params: ListParams, list: ListDefinition): string {
  const query = new URLSearchParams();
  writeListParams(query, { ...params, page: 1 }, list);
  query.set('columns', params.columns.join(','));
  query.sort();
  return query.toString();
}

/** Who stands on a page that is no more, because rows were deleted, is led to the last one. */
export function useLastPage(
  page: { items: unknown[]; total: number } | undefined,
  params: ListParams,
  change: (part: Partial<ListParams>) => void,
): void {
  const last = Math.max(1, Math.ceil((page?.total ?? 0) / params.pageSize));
  const beyond = page !== undefined && page.items.length === 0 && page.total > 0 && params.page > last;
  useEffect(() => {
    if (beyond) change({ page: last });
  }, [beyond, last, change]);
}
