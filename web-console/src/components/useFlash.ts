import { useEffect, useRef, type RefObject } from 'react';
import { prefersReducedMotion } from '@/map/reducedMotion';

const FLASH_MS = 800;
const FLASH = [{ backgroundColor: 'var(--armada-surface-selected)' }, {}];

/** Lights up a row for a moment when what it says of its thing becomes something else; not when it is first shown. */
export function useFlash<T extends HTMLElement>(state: string): RefObject<T | null> {
  const row = useRef<T>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (!prefersReducedMotion()) row.current?.animate(FLASH, FLASH_MS);
  }, [state]);
  return row;
}
