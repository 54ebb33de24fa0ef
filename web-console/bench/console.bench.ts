import { test, expect, type Page } from '@playwright/test';
import { fillLogin } from '../e2e/steps';
import { probeAges, settled } from './ages';
import { heapOver, type Grown } from './heap';
import { remember } from './history';
import { attribution, pathWithTrails, putStreetMap } from './layers';
import { ms, rank } from './numbers';
import { open, watchOpening, type Opening, WAIT_TIMEOUT_MS } from './opening';
import { selectSome } from './selecting';
import { DEVICES, LAYERS, MINUTES, RATE } from './settings';
import { ACCOUNT, URL } from './site';
import { watch, type Watched } from './watching';

/** How the tables of the history begin: of every run, and of what is drawn, selected and kept. */
const TABLE = '| date | machine | devices, updates/s |';
const TABLE_OF_AGES = '| date | machine | devices, updates/s, layers |';
/** Openings of the map, and questions for the first page. */
const OPENINGS = 5;
const PAGES = 30;
/** How often it is zoomed in for a nearer look, and from there until streets and names can be read. */
const NEARER = 4;
const STREETS = 4;
/** Without the minutes of the heap. */
const TIMEOUT_MS = 900_000;

async function signIn(page: Page): Promise<string> {
  const answer = await page.request.post(`${URL}/auth/login`, { data: ACCOUNT });
  return ((await answer.json()) as { token: string }).token;
}

async function firstPages(page: Page): Promise<number[]> {
  const token = await signIn(page);
  const took: number[] = [];
  for (let count = 0; count < PAGES; count++) {
    const started = performance.now();
    const list = await page.request.get(`${URL}/api/v1/devices?page=1&page_size=25&sort=name`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await list.body()).length).toBeGreaterThan(0);
    took.push(performance.now() - started);
  }
  return took;
}

/** Presses a button of the map so often, and waits until it has come to rest. */
async function press(page: Page, name: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) {
    await page.getByRole('button', { name }).click();
    await page.waitForTimeout(1_000);
  }
}

/** Opens the map with everything on it that is wanted, all vehicles in view; its worker counts ages. */
async function show(page: Page) {
  const path = LAYERS ? await pathWithTrails(page, await signIn(page)) : '/maps';
  const worker = await probeAges(page, () => open(page, path));
  await settled(worker);
  await page.waitForTimeout(2_000);
  // Whoever comes with chosen vehicles sees these first.
  if (LAYERS) await press(page, 'Tampilkan semua kendaraan');
  return worker;
}

async function openings(page: Page): Promise<Opening[]> {
  await page.addInitScript(watchOpening);
  const seen: Opening[] = [];
  for (let count = 0; count < OPENINGS; count++) seen.push(await open(page));
  return seen;
}

/** The map from afar, nearer, and with layers so near that there are streets and names. */
async function watchMaps(page: Page): Promise<[overview: Watched, nearer: Watched, ...streets: Watched[]]> {
  const worker = await show(page);
  const overview = await watch(page, worker, 'overview');
  await press(page, 'Perbesar', NEARER);
  const nearer = await watch(page, worker, 'nearer');
  if (!LAYERS) return [overview, nearer];
  await press(page, 'Perbesar', STREETS);
  return [overview, nearer, await watch(page, worker, 'streets')];
}

async function watchHeap(page: Page): Promise<Grown | null> {
  if (MINUTES === 0) return null;
  await show(page);
  return heapOver(page, MINUTES);
}

test('the console with a large fleet', async ({ page }) => {
  test.setTimeout(TIMEOUT_MS + MINUTES * 60_000);
  if (LAYERS) await putStreetMap();
  await page.goto(`${URL}/maps`);
  await fillLogin(page, ACCOUNT);
  await expect(page.locator('button[data-device-id]').first()).toBeVisible({ timeout: WAIT_TIMEOUT_MS });
  const opened = await openings(page);
  const vehicles = opened.map((opening) => opening.vehicles);
  const list = opened.map((opening) => opening.list);
  const watched = await watchMaps(page);
  const [overview, nearer] = watched;
  const below = await attribution(page);
  await settled(await probeAges(page, () => open(page)));
  const selected = await selectSome(page);
  const [cards, placed] = [selected.map(({ card }) => card), selected.map(({ placed }) => placed)];
  const grown = await watchHeap(page);
  const pages = await firstPages(page);
  const firstPage = `${ms(rank(pages, 0.5))}, ${ms(rank(pages, 0.95))}`;
  const ofCards = `${ms(rank(cards, 0.5))}, ${ms(Math.max(...cards))}`;
  const ofPlaces = `${ms(rank(placed, 0.5))}, ${ms(Math.max(...placed))}`;
  const rows: [string, string][] = [
    ['map open: first vehicles, median (max)', `${ms(rank(vehicles, 0.5))} (${ms(Math.max(...vehicles))})`],
    ['map open: list usable, median (max)', `${ms(rank(list, 0.5))} (${ms(Math.max(...list))})`],
    ['below the vehicles', below],
    ...watched.flatMap((map) => map.rows),
    ['vehicle selected: card there, median, max', ofCards],
    ['vehicle selected: map there, median, max', ofPlaces],
    ...(grown
      ? ([
          [`heap of the page over ${MINUTES} minutes`, grown.heap],
          [`memory of pages' processes over ${MINUTES} minutes`, grown.resident],
        ] as [string, string][])
      : []),
    ['first page of devices, median, p95', firstPage],
  ];
  const table = rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n');
  process.stdout.write(`\n| ${DEVICES} devices | |\n|---|---|\n${table}\n\n`);
  await remember(TABLE, [
    `${DEVICES}, ${RATE}`,
    `${ms(rank(vehicles, 0.5))}, ${ms(rank(list, 0.5))}`,
    `${overview.frame}, ${nearer.frame}`,
    `${overview.busy}, ${nearer.busy}`,
    firstPage,
  ]);
  await remember(TABLE_OF_AGES, [
    `${DEVICES}, ${RATE}, ${LAYERS ? 'all' : 'names'}`,
    overview.ages,
    nearer.ages,
    watched.map((map) => map.frame).join(', '),
    ofCards,
    ofPlaces,
    grown ? `${MINUTES} min: ${grown.heap}` : '–',
    grown?.resident ?? '–',
  ]);
});
