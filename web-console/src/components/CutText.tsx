import { useLayoutEffect, useState } from 'react';
import classes from './CutText.module.css';

/** Marks what may be too long for its place, for `data-cut`. */
const CUT = '[data-cut]';

const isCut = (element: Element) => [element, ...element.children].some((part) => part.scrollWidth > part.clientWidth);

/** What of a focused element is cut: itself, or what stands in it. */
function cutIn(focused: Element): string {
  const parts = focused.matches(CUT) ? [focused] : [...focused.querySelectorAll(CUT)];
  const texts = parts.filter(isCut).map((part) => part.textContent);
  return texts.join(' · ');
}

interface Shown {
  text: string;
  left: number;
  bottom: number;
}

/** Shows texts whole that are cut on the screen: those under the pointer, and those of what the keyboard is at. */
export function CutText() {
  const [shown, setShown] = useState<Shown | null>(null);
  // From the moment it is drawn: somebody may press Tab at once.
  useLayoutEffect(() => {
    const point = ({ target }: Event) => {
      const element = target instanceof Element ? target.closest<HTMLElement>(CUT) : null;
      if (!element) return;
      if (isCut(element)) element.title = element.textContent;
      else element.removeAttribute('title');
    };
    const focus = ({ target }: Event) => {
      const text = target instanceof Element && target.matches(':focus-visible') ? cutIn(target) : '';
      if (!text) return setShown(null);
      const { left, bottom } = (target as Element).getBoundingClientRect();
      setShown({ text, left, bottom });
    };
    const hide = () => setShown(null);
    const listeners = [
      ['pointerover', point],
      ['focusin', focus],
      ['focusout', hide],
      ['scroll', hide],
    ] as const;
    for (const [type, listener] of listeners) document.addEventListener(type, listener, true);
    return () => {
      for (const [type, listener] of listeners) document.removeEventListener(type, listener, true);
    };
  }, []);
  return (
    shown && (
      // Readers have the whole text already.
      <div className={classes.whole} style={{ left: shown.left, top: shown.bottom }} aria-hidden="true">
        {shown.text}
      </div>
    )
  );
}
