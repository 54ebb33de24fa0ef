import { useEffect, type RefObject } from 'react';

/** Marks what scrolls sideways with `data-before` and `data-after` where there is more on that side. */
export function useScrollEnds(ref: RefObject<HTMLElement | null>): void {
  // Whatever is drawn may be wider than what was there.
  useEffect(() => (ref.current ? mark(ref.current) : undefined));
  useEffect(() => {
    const scroller = ref.current;
    if (!scroller) return;
    const look = () => mark(scroller);
    const observer = new ResizeObserver(look);
    observer.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [ref]);
}

function mark(scroller: HTMLElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = scroller;
  scroller.toggleAttribute('data-before', scrollLeft > 1);
  scroller.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 1);
}
