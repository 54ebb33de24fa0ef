import { test, type Page } from '@playwright/test';
import { signIn } from '../e2e/steps';
import { remember } from './history';
import { ms, rank } from './numbers';
import { ACCOUNT, setting, URL } from './site';

/** How the table of the history begins. */
const TABLE = '| date | machine | fixes of the track |';
const TIMES = 10;
const VEHICLE = setting('ARMADA_BENCH_VEHICLE');
const FIXES = Number(setting('ARMADA_BENCH_FIXES'));
const WAIT_TIMEOUT_MS = 30_000;

/** Milliseconds from the click on a vehicle until its line is on the map. */
async function choose(page: Page): Promise<number> {
  const period = `from=${setting('ARMADA_BENCH_FROM')}&to=${setting('ARMADA_BENCH_TO')}`;
  await page.goto(`${URL}/playback?${period}`);
  await page.getByPlaceholder('Pilih hingga empat kendaraan').fill(VEHICLE);
  await page.getByRole('option', { name: VEHICLE }).waitFor();
  return page.evaluate(watchLine, [VEHICLE, WAIT_TIMEOUT_MS] as const);
}

/** Runs in the page: clicks on the vehicle, and looks at each frame whether its line is drawn. */
async function watchLine([vehicle, timeoutMs]: readonly [string, number]): Promise<number> {
  const options = [...document.querySelectorAll<HTMLElement>('[role="option"]')];
  const option = options.find((each) => each.textContent.includes(vehicle));
  if (!option) throw new Error('the vehicle is not in the list');
  const began = performance.now();
  option.click();
  for (;;) {
    // What is in the document now is drawn with this frame.
    await new Promise((next) => requestAnimationFrame(next));
    const took = performance.now() - began;
    const canvas = document.querySelector<HTMLElement>('[data-testid="track-canvas"]');
    if (Number(canvas?.dataset.points) > 0) return took;
    if (took > timeoutMs) throw new Error('a vehicle was clicked, and no line came');
  }
}

test('a month of one vehicle', async ({ page }) => {
  await signIn(page, `${URL}/playback`, ACCOUNT);
  const took: number[] = [];
  for (let count = 0; count < TIMES; count++) took.push(await choose(page));
  const drawn = `${ms(Math.min(...took))}, ${ms(rank(took, 0.5))}, ${ms(Math.max(...took))}`;
  process.stdout.write(`\n${FIXES} fixes: line drawn after the click: least, median, most: ${drawn}\n\n`);
  await remember(TABLE, [String(FIXES), drawn]);
});
