import type { Page } from '@playwright/test';
import { URL } from './site';

/** A large fleet takes its time. */
export const WAIT_TIMEOUT_MS = 120_000;

/** Milliseconds after navigation. */
export interface Opening {
  vehicles: number;
  list: number;
}

/** Opens the map anew, and says when the first vehicles and the first row were there. Needs `watchOpening` in the page. */
export async function open(page: Page, path = '/maps'): Promise<Opening> {
  await page.goto('about:blank');
  await page.goto(`${URL}${path}`);
  const opening = await page.waitForFunction(
    () => {
      const seen = (window as unknown as { opening?: Partial<Opening> }).opening;
      return seen?.vehicles && seen.list ? (seen as Opening) : null;
    },
    undefined,
    { timeout: WAIT_TIMEOUT_MS },
  );
  return (await opening.jsonValue()) as Opening;
}

/** Runs in the page before everything else. */
export function watchOpening(): void {
  const seen: { vehicles?: number; list?: number } = {};
  (window as unknown as { opening: typeof seen }).opening = seen;
  const look = () => {
    const canvas = document.querySelector<HTMLElement>('canvas[data-vehicles-drawn]');
    if (!seen.vehicles && Number(canvas?.dataset.vehiclesDrawn) > 0) seen.vehicles = performance.now();
    if (!seen.list && document.querySelector('button[data-device-id]')) seen.list = performance.now();
    if (!seen.vehicles || !seen.list) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
