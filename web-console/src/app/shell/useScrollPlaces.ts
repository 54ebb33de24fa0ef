import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A list may have to be fetched first; whoever waits longer has looked elsewhere. */
const GIVE_UP_MS = 10_000;

/** Where each place of a screen stood, by its name. */
type Places = Record<string, number>;

/** What scrolls has a name, for assistive technology and here. */
const nameOf = (element: Element) => element.id || element.getAttribute('aria-label');

const scrollers = (main: HTMLElement) => [main, ...main.querySelectorAll<HTMLElement>('[role=region][aria-label]')];

/** Puts back what is long enough by now; true when nothing is left. */
function putBack(main: HTMLElement, left: Map<string, number>): boolean {
  for (const element of scrollers(main)) {
    const name = nameOf(element) ?? '';
    const top = left.get(name);
    if (top === undefined || element.scrollHeight - element.clientHeight < top) continue;
    element.scrollTop = top;
    left.delete(name);
  }
  return left.size === 0;
}

/** Puts the places back as soon as the screen is there, unless somebody scrolls first. Returns what stops it. */
function keepPuttingBack(main: HTMLElement, places: Places): () => void {
  const left = new Map(Object.entries(places));
  const deadline = Date.now() + GIVE_UP_MS;
  let frame = 0;
  const look = () => {
    if (!putBack(main, left) && Date.now() < deadline) frame = requestAnimationFrame(look);
  };
  const stopped = new AbortController();
  const stop = () => {
    cancelAnimationFrame(frame);
    stopped.abort();
  };
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(act, stop, { capture: true, passive: true, signal: stopped.signal });
  }
  look();
  return stop;
}

/**
 * Another screen begins at its top, and one that Back leads to where it was left: the page itself, and each named region in
 * it that scrolls.
 */
export function useScrollPlaces(main: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const kept = useRef(new Map<string, Places>());
  const shown = useRef({ key, pathname });

  useLayoutEffect(() => {
    const { current: before } = shown;
    if (before.key === key) return;
    shown.current = { key, pathname };
    const places = kept.current.get(before.pathname === pathname && !isBack ? before.key : key);
    // The same screen with a drawer or another filter stands where it stood.
    if (before.pathname === pathname) return void (!isBack && places && kept.current.set(key, { ...places }));
    main.current?.scrollTo(0, 0);
    return isBack && places && main.current ? keepPuttingBack(main.current, places) : undefined;
  }, [main, key, pathname, isBack]);

  useEffect(() => {
    const { current: element } = main;
    const note = ({ target }: Event) => {
      const name = target instanceof HTMLElement ? nameOf(target) : null;
      if (!name || !(target instanceof HTMLElement)) return;
      const places = kept.current.get(shown.current.key) ?? {};
      kept.current.set(shown.current.key, { ...places, [name]: target.scrollTop });
    };
    element?.addEventListener('scroll', note, { capture: true, passive: true });
    return () => element?.removeEventListener('scroll', note, { capture: true });
  }, [main]);
}
