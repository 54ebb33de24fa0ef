import type { PointerEvent } from 'react';

/** Shows the whole text of an element on hover, where it does not fit: for `onPointerEnter`. */
export function showTitleWhenTruncated({ currentTarget: element }: PointerEvent<HTMLElement>): void {
  const parts = [element, ...element.children];
  if (parts.some((part) => part.scrollWidth > part.clientWidth)) element.title = element.textContent;
  else element.removeAttribute('title');
}
