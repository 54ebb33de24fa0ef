import { Tabs } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useScrollEnds } from '@/lib/useScrollEnds';
import classes from './TabRow.module.css';

interface TabRowProps {
  /** What the tabs lead through. */
  label?: string;
  /** The tab in front, which is scrolled into sight. */
  value?: string | null;
  /** The tabs. */
  children: ReactNode;
}

/** The tabs of Mantine's `Tabs`, in one row on every screen. */
export function TabRow({ label, value, children }: TabRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (row.current) showFront(row.current);
  }, [value]);
  useScrollEnds(row);
  return (
    <Tabs.List ref={row} aria-label={label} className={classes.row}>
      {children}
    </Tabs.List>
  );
}

/** How much of its neighbours is seen beside the tab in front. */
const MARGIN = 40;

/** Scrolls the row alone: what the browser scrolls into view takes the page with it. */
function showFront(row: HTMLElement): void {
  const front = row.querySelector<HTMLElement>('[aria-selected=true]');
  if (!front) return;
  const [from, to] = [front.offsetLeft - MARGIN, front.offsetLeft + front.offsetWidth + MARGIN];
  if (from < row.scrollLeft) row.scrollLeft = from;
  else if (to > row.scrollLeft + row.clientWidth) row.scrollLeft = to - row.clientWidth;
}
