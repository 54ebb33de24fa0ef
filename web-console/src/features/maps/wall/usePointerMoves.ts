import { useEffect, useState } from 'react';

const REST_MS = 3_000;

/** Whether somebody has just moved the pointer. */
export function usePointerMoves(): boolean {
  const [moves, setMoves] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onMove = () => {
      setMoves(true);
      clearTimeout(timer);
      timer = setTimeout(() => setMoves(false), REST_MS);
    };
    document.addEventListener('pointermove', onMove);
    return () => {
      document.removeEventListener('pointermove', onMove);
      clearTimeout(timer);
    };
  }, []);
  return moves;
}
