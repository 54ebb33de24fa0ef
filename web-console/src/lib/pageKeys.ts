import { useEffect, useRef } from 'react';
import { singleKeysOn } from './singleKeys';

/** Keys of a screen with what they do. */
export type PageKeys = Record<string, (event: KeyboardEvent) => void>;

const TYPED_INTO = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
/** What lies over the screen takes the keys for itself, while the focus is in it. */
const OVERLAY = '[role=dialog], [role=menu], [role=listbox], [role=combobox]';
/** Nothing behind these answers at all. */
const MODAL = '[aria-modal=true]';

/** Single keys that work wherever the focus is on the screen, but not while somebody types or a dialog is open. */
export function usePageKeys(keys: PageKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1 && !singleKeysOn()) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(`${TYPED_INTO}, ${OVERLAY}`) || document.querySelector(MODAL)) return;
      act(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
