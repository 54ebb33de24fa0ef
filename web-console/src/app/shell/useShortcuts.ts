import { useEffect, useEffectEvent, useRef } from 'react';
import { singleKeysOn } from '@/lib/singleKeys';
import type { Action } from './useActions';

/** The second key of two has to follow within this time. */
const SEQUENCE_TIMEOUT_MS = 1_500;

/** Keys mean themselves to whoever types, and something else inside dialogs and menus. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null;
}

/** Runs actions by their keys: one after the other, without modifiers. `mod+K` opens the palette, `/` the search. */
export function useShortcuts(actions: Action[], openPalette: () => void): void {
  const pending = useRef<{ key: string; at: number } | null>(null);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target)) return;
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
    const before =
      pending.current && event.timeStamp - pending.current.at < SEQUENCE_TIMEOUT_MS ? pending.current.key : null;
    pending.current = null;
    const typed = before ? [before, event.key] : [event.key];
    const action = actions.find(({ keys }) => keys?.join(' ') === typed.join(' '));
    if (action) {
      event.preventDefault();
      return action.run();
    }
    if (actions.some(({ keys }) => keys && keys.length > 1 && keys[0] === event.key)) {
      pending.current = { key: event.key, at: event.timeStamp };
    }
  });

  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
