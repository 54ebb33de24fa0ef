import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { usePageKeys } from '@/lib/pageKeys';

interface ListKeys {
  /** Rows there are, on the screen or not. */
  count: number;
  /** Holds the rows on the screen, each with its `data-index`. */
  scroller: RefObject<HTMLElement | null>;
  /** Brings a row onto the screen. */
  scrollTo: (index: number) => void;
}

/**
 * Goes through a list of buttons with the arrows inside of it, and with `j` and `k` from anywhere; from one button of a row to
 * the next with those to the side.
 */
export function useListKeys({ count, scroller, scrollTo }: ListKeys) {
  const last = useRef(-1);
  const wanted = useRef<number | null>(null);

  const focusWanted = () => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] button`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  };
  // A row that was not on the screen is there after one of the next drawings.
  useEffect(focusWanted);

  const goTo = (index: number) => {
    if (count === 0) return;
    last.current = Math.min(count - 1, Math.max(0, index));
    wanted.current = last.current;
    scrollTo(last.current);
    focusWanted();
  };
  const step = (by: 1 | -1) => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]');
    const here = row && scroller.current?.contains(row) ? Number(row.dataset.index) : last.current;
    goTo(here + by);
  };
  const sideways = (by: 1 | -1) => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]');
    const buttons = [...(row?.querySelectorAll<HTMLElement>('button') ?? [])];
    const here = buttons.findIndex((button) => button === document.activeElement);
    buttons[here + by]?.focus({ preventScroll: true });
  };
  usePageKeys({ j: () => step(1), k: () => step(-1) });

  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      ArrowRight: () => sideways(1),
      ArrowLeft: () => sideways(-1),
      Home: () => goTo(0),
      End: () => goTo(count - 1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
