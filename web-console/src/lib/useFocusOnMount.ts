import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Gives the keyboard to the element with this ref when it comes onto the page: a form that is the whole page, or a step
 * that takes the place of another one, where the focus would be lost otherwise. `key` is the element's own key, with
 * which it comes anew. Inside of a dialog that opens, `data-autofocus` does the same.
 */
export function useFocusOnMount<T extends HTMLElement>(key?: string | number): RefObject<T | null> {
  const element = useRef<T>(null);
  useLayoutEffect(() => element.current?.focus(), [key]);
  return element;
}
