import { useCallback, useMemo } from 'react';
import { useAddress } from './address';

/** Stands in the address for a thing that does not exist yet. */
export const NEW = 'new';
/** Stands there for taking things in from a file. */
export const IMPORT = 'import';
const OPEN = 'open';
const TAB = 'tab';
/** Stands in place of the page's own drawer where none is open, below others. */
const NONE = '';

/** A thing that does not exist yet, of which something is known: `new?imei=…`. */
export const newWith = (known: Record<string, string>): string => `${NEW}?${new URLSearchParams(known).toString()}`;

/** What is known beforehand of a thing that does not exist yet; null for one that does. */
export function knownOfNew(open: string): Record<string, string> | null {
  const [what, known] = [open.slice(0, NEW.length), open.slice(NEW.length)];
  if (what !== NEW || (known !== '' && !known.startsWith('?'))) return null;
  return Object.fromEntries(new URLSearchParams(known));
}

/** In what is known of a new thing; the fields of the contract are called otherwise. */
const COPY_OF = 'copyOf';

/** A thing that does not exist yet, and begins as this one is. */
export const copyOf = (id: string): string => newWith({ [COPY_OF]: id });

/** The thing that a new one begins as. */
export const copiedId = (open: string): string | null => knownOfNew(open)?.[COPY_OF] ?? null;

/** The parameters of a page without its drawers. */
export function withoutDrawers(search: URLSearchParams): string {
  const left = new URLSearchParams(search);
  left.delete(OPEN);
  left.delete(TAB);
  return left.toString();
}

/** The drawers that are open at an address, the lowest first. */
export const drawersIn = (search: URLSearchParams): string[] => search.getAll(OPEN);

/** Which thing's drawer is open on the page, kept in the address: an id, `new` with what is known of it, or null. */
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
  return [drawersIn(search)[0] ?? null, show];
}

/** A drawer over others: a thing of some resource. */
export interface StackedDrawer {
  of: string;
  id: string;
}

/** Drawers that lie over that of the page, each `<resource>:<id>` in the address, and how they come and go. */
export function useStackedDrawers() {
  const { search, change } = useAddress();
  const over = useMemo(
    () =>
      drawersIn(search)
        .slice(1)
        .map((text): StackedDrawer => ({
          of: text.slice(0, text.indexOf(':')),
          id: text.slice(text.indexOf(':') + 1),
        })),
    [search],
  );
  const open = useCallback(
    (of: string, id: string) =>
      change((next) => {
        if (!next.has(OPEN)) next.append(OPEN, NONE);
        next.append(OPEN, `${of}:${id}`);
      }, 'push'),
    [change],
  );
  /** Leaves so many of them open. */
  const closeTo = useCallback(
    (count: number) =>
      change((next) => {
        const left = next.getAll(OPEN).slice(0, count + 1);
        next.delete(OPEN);
        if (left.join() !== NONE) for (const each of left) next.append(OPEN, each);
      }, 'push'),
    [change],
  );
  return { over, open, closeTo };
}

/** Which tab of the page's drawer is in front, kept in the address; null for the first. */
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
