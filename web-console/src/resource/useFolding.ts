import { useEffect, useState } from 'react';

/** For so long what is new is shown whole. */
const FOLD_MS = 8_000;

/**
 * Whether something that tells of news has folded by itself. It opens with what is new, and stays open for as long as a
 * pointer or the keyboard is in it; `within` goes to the element.
 */
export function useFolding(news: string) {
  const [folded, setFolded] = useState(false);
  const [told, setTold] = useState(news);
  const [held, setHeld] = useState(false);
  if (told !== news) {
    setTold(news);
    setFolded(false);
  }
  useEffect(() => {
    if (folded || held) return;
    const timer = setTimeout(() => setFolded(true), FOLD_MS);
    return () => clearTimeout(timer);
  }, [folded, held, news]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  const within = { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
  return { folded, setFolded, within };
}
