import { useEffect } from 'react';

const MOST = 99;
const shown = { title: '', count: 0 };

function write(): void {
  const { title, count } = shown;
  const named = title ? `${title} · Armada` : 'Armada';
  document.title = count === 0 ? named : `(${count > MOST ? `${MOST}+` : count}) ${named}`;
}

/** Names the screen in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    shown.title = title;
    write();
  }, [title]);
}

/** Says in the browser's tab, before the name of the screen, how many things somebody has to see to. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    shown.count = count;
    write();
    return () => {
      shown.count = 0;
      write();
    };
  }, [count]);
}
