import { useEffect, useState } from 'react';

/** The screen itself has the keyboard: what had it is gone. */
export const focusScreen = (): void => document.querySelector('main')?.focus({ preventScroll: true });

/** Whoever opened this has the keyboard again when it is gone; the screen has it when that is gone as well. */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const there = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      if (there) opener.focus({ preventScroll: true });
      else focusScreen();
    },
    [opener],
  );
}
