import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { usePageKeys } from '@/lib/pageKeys';
import type { Selection } from '@/lib/selection';

interface CursorRow<T> {
  id: string;
  original: T;
  toggleSelected: () => void;
}

interface RowCursorOptions<T> {
  rows: CursorRow<T>[];
  /** Holds the rows, each with its `data-index`. */
  scroller: RefObject<HTMLElement | null>;
  /** Brings a row onto the page that is not there. */
  toIndex: (index: number) => void;
  onOpen?: (row: T) => void;
  openKey?: string | null;
  selection?: Selection<T>;
}

const onOtherControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, input, [role=button]') !== null;

/** Goes from row to row by keyboard: the focus is the cursor. */
export function useRowCursor<T>(options: RowCursorOptions<T>) {
  const { rows, scroller, openKey } = options;
  /** Where the cursor was, for when the focus has left the rows. */
  const last = useRef(-1);
  const wanted = useRef<number | null>(null);

  const rowAt = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const here = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]');
    return row && scroller.current?.contains(row) ? Number(row.dataset.index) : null;
  };
  const goTo = (index: number) => {
    if (index < 0 || index >= rows.length) return;
    last.current = index;
    wanted.current = index;
    options.toIndex(index);
    focusWanted();
  };
  const focusWanted = () => {
    const row = wanted.current === null ? null : rowAt(wanted.current);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };
  // A row that was not on the page is there after the next drawing.
  useEffect(focusWanted);

  // Who closes the drawer is back where they were.
  const openBefore = useRef(openKey);
  useEffect(() => {
    const closed = openBefore.current && !openKey ? openBefore.current : null;
    openBefore.current = openKey;
    if (!closed) return;
    const index = rows.findIndex(({ id }) => id === closed);
    // The drawer still holds the focus while it slides away. It gives it back to whoever opened it, or to the whole screen.
    const timer = setTimeout(() => {
      const holder = document.activeElement;
      if (!holder || holder === document.body || holder.matches('main')) rowAt(index)?.focus();
    }, 250);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when it is closed
  }, [openKey]);

  const step = (by: 1 | -1) => {
    const from = here() ?? (last.current < rows.length ? last.current : -1);
    goTo(from < 0 ? (by === 1 ? 0 : rows.length - 1) : from + by);
  };
  const choose = (index: number | null) => {
    if (options.selection && index !== null) rows[index]?.toggleSelected();
  };

  usePageKeys({
    j: () => step(1),
    k: () => step(-1),
    x: (event) => {
      if (here() === null) return;
      event.preventDefault();
      choose(here());
    },
    Escape: () => options.selection?.clear(),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = here();
    const act = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      // Buttons and checkboxes inside the row answer to these themselves.
      Enter: onOtherControl(event.target)
        ? undefined
        : () => index !== null && rows[index] && options.onOpen?.(rows[index].original),
      ' ': onOtherControl(event.target) || index === null ? undefined : () => choose(index),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return { onKeyDown };
}
