import { expect, type Page } from '@playwright/test';

/** Vehicles that are selected, one after the other. */
const TIMES = 10;
const WAIT_TIMEOUT_MS = 30_000;

/** Milliseconds from the click on a vehicle in the list. */
export interface Selected {
  /** Until its card is there, with what is known of it. */
  card: number;
  /** Until the map has gone there, and rests. */
  placed: number;
}

/** Selects vehicles of the list. None may be chosen before, and none is afterwards. */
export async function selectSome(page: Page): Promise<Selected[]> {
  const selected: Selected[] = [];
  for (let place = 0; place < TIMES; place++) {
    selected.push(await page.evaluate(select, [place, WAIT_TIMEOUT_MS] as const));
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('vehicle-card')).toHaveCount(0);
  }
  return selected;
}

/** Runs in the page. */
async function select([place, timeoutMs]: readonly [number, number]): Promise<Selected> {
  const rows = document.querySelectorAll<HTMLElement>('button[data-device-id]');
  const row = rows[place % Math.max(1, rows.length)];
  if (!row) throw new Error('there is no vehicle in the list');
  const began = performance.now();
  row.click();
  let there = 0;
  const pane = document.querySelector<HTMLElement>('.leaflet-map-pane');
  const isMoving = () => document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim') !== null;
  let wasAt = '';
  for (;;) {
    // What is in the document now is drawn with this frame.
    await new Promise((next) => requestAnimationFrame(next));
    const took = performance.now() - began;
    const card = document.querySelector('[data-testid="vehicle-card"][data-lat]');
    if (card && there === 0) there = took;
    // Two frames in one place: it goes there from the frame on in which the vehicle is known.
    const at = pane?.style.transform ?? '';
    if (there > 0 && took > there && at === wasAt && !isMoving()) return { card: there, placed: took };
    wasAt = at;
    if (took > timeoutMs) throw new Error('a vehicle was clicked, and no card came');
  }
}
