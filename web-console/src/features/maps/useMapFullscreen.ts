import { useEffect, useState } from 'react';

/** Whether the map covers the page, and the page the screen where a browser lets it. */
export function useMapFullscreen(): [boolean, () => void] {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const ended = () => {
      if (!document.fullscreenElement) setOn(false);
    };
    document.addEventListener('fullscreenchange', ended);
    return () => {
      document.removeEventListener('fullscreenchange', ended);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);
  const toggle = () => {
    setOn(!on);
    if (on) {
      if (document.fullscreenElement) void document.exitFullscreen();
      return;
    }
    // Phones of one maker have none, and a page in a frame may not: the map then covers the page all the same.
    const page = document.documentElement as Partial<HTMLElement>;
    page.requestFullscreen?.().catch(() => undefined);
  };
  return [on, toggle];
}
