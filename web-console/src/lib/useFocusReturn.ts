import { useEffect, useState } from 'react';

/** The screen itself has the keyboard: what had it is gone. */
export const focusScreen = (): void => document.querySelector('main')?.focus({ preventScroll: true });

/** What had the keyboard is gone from a part of the screen: the drawer around it has it, or the screen itself. */
export function focusAround(): void {
  if (document.activeElement !== document.body) return;
  const drawer = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  if (drawer) drawer.focus({ preventScroll: true });
  else focusScreen();
}

/** Whether somebody has moved the keyboard to a part of the screen while a dialog was closing. */
function isFocusTaken(): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && activeElement.closest('[role="dialog"]') === null;
}

/**
 * Whoever opened this has the keyboard again when it is gone; the screen has it when that is gone as well. Who has gone on
 * already is left where they are.
 */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (isFocusTaken()) return;
      const there = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      if (there) opener.focus({ preventScroll: true });
      else focusScreen();
    },
    [opener],
  );
}
