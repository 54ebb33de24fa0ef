import { useHotkeys } from '@mantine/hooks';
import { useEffect, useState, type RefObject } from 'react';
import type { MapControls } from '@/map/FleetMap';

/** Addresses that do not come within this time are missing on paper. */
const LONGEST_MS = 3_000;
/** The parts of a sheet besides the map. */
const PARTS = 2;

/**
 * Prints the map: it takes the size and the colours of paper first, and is printed when all of it is drawn and every address is
 * there. Browsers print what is on the screen, and wait for nothing.
 */
export function useMapPrint(controls: RefObject<MapControls | null>): { printing: boolean; print: () => void } {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    if (!printing) return;
    let gone = false;
    const end = () => setPrinting(false);
    // Where a browser tells nothing of the end, the next touch leads back.
    const ends = ['afterprint', 'pointerdown'] as const;
    for (const event of ends) window.addEventListener(event, end);
    const whenReady = async () => {
      await controls.current?.whenDrawn();
      await partsReady();
      if (!gone) window.print();
    };
    void whenReady();
    return () => {
      gone = true;
      for (const event of ends) window.removeEventListener(event, end);
    };
  }, [printing, controls]);
  const print = () => setPrinting(true);
  useHotkeys([['mod+P', print]], []);
  return { printing, print };
}

/** Resolves once all parts of the sheet are there and wait for nothing. */
function partsReady(): Promise<void> {
  const begin = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const parts = [...document.querySelectorAll('[data-paper]')];
      const waits = parts.length < PARTS || parts.some((part) => part.querySelector('[aria-busy=true]') !== null);
      if (waits && performance.now() - begin < LONGEST_MS) requestAnimationFrame(look);
      else resolve();
    };
    look();
  });
}
