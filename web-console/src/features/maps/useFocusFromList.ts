import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * For what stands in front of the list of vehicles: whoever came from there by keyboard has it here, and at the row of the
 * vehicle again when this is gone.
 */
export function useFocusFromList<E extends HTMLElement>(deviceId: string): RefObject<E | null> {
  const target = useRef<E>(null);
  useLayoutEffect(() => {
    const element = target.current;
    const panel = element?.closest('section');
    const row = () => panel?.querySelector<HTMLElement>(`[data-device-id="${CSS.escape(deviceId)}"]`);
    // A row that can be reached no more has lost the keyboard, or is about to.
    const { activeElement } = document;
    const hasIt = activeElement === document.body || activeElement?.matches('[data-device-id]');
    if (hasIt && row()) element?.focus({ preventScroll: true });
    return () => {
      // Not before the list can be reached again.
      queueMicrotask(() => {
        const { activeElement: now } = document;
        if (now === document.body || now === null) row()?.focus({ preventScroll: true });
      });
    };
  }, [deviceId]);
  return target;
}
