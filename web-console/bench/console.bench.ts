import { test, expect, type CDPSession, type Page } from '@playwright/test';
import { fillLogin } from '../e2e/steps';
import { remember } from './history';

const URL = setting('ARMADA_BENCH_URL');
const METRICS = setting('ARMADA_BENCH_METRICS');
const ACCOUNT = { email: setting('ARMADA_BENCH_EMAIL'), password: setting('ARMADA_BENCH_PASSWORD') };
const DEVICES = Number(setting('ARMADA_BENCH_DEVICES'));
const SECONDS = Number(setting('ARMADA_BENCH_SECONDS'));
const RATE = Number(setting('ARMADA_BENCH_RATE'));
/** Openings of the map, and questions for the first page. */
const OPENINGS = 5;
const PAGES = 30;
/** Seconds in which the worker's frames are recorded: recording costs time itself. */
const TRACED_SECONDS = 5;

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run it with: armada-bench console`);
  return value;
}

const rank = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const three = (values: number[]): string => [0.5, 0.95, 0.99].map((part) => rank(values, part).toFixed(1)).join(', ');

interface Opening {
  vehicles: number;
  list: number;
}

/** Opens the map anew, and says when the first vehicles and the first row were there. */
async function open(page: Page): Promise<Opening> {
  await page.goto('about:blank');
  await page.goto(`${URL}/maps`);
  const opening = await page.waitForFunction(() => {
    const seen = (window as unknown as { opening?: Partial<Opening> }).opening;
    return seen?.vehicles && seen.list ? (seen as Opening) : null;
  });
  return (await opening.jsonValue()) as Opening;
}

/** Runs in the page before everything else. */
function watchOpening(): void {
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

/** Milliseconds between frames of the page, and its tasks of more than 50 ms. */
function frames(page: Page, seconds: number): Promise<{ intervals: number[]; longTasks: number[] }> {
  return page.evaluate(async (duration) => {
    const intervals: number[] = [];
    const longTasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration: took } of list.getEntries()) longTasks.push(took);
    });
    observer.observe({ entryTypes: ['longtask'] });
    await new Promise<void>((done) => {
      const started = performance.now();
      let before = started;
      const frame = (now: number) => {
        if (now > before) intervals.push(now - before);
        before = now;
        if (now - started < duration) requestAnimationFrame(frame);
        else done();
      };
      requestAnimationFrame(frame);
    });
    observer.disconnect();
    return { intervals, longTasks };
  }, seconds * 1_000);
}

async function counters(cdp: CDPSession): Promise<Record<string, number>> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

async function sentBytes(): Promise<number> {
  const text = await (await fetch(METRICS)).text();
  return Number(/^armada_live_sent_bytes_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? NaN);
}

/** Milliseconds that the worker took for its frames. */
async function workerFrames(cdp: CDPSession, page: Page): Promise<number[]> {
  const began = new Map<string, number>();
  const took: number[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as {
      name: string;
      ph: string;
      ts: number;
      id2?: { local?: string };
      id?: string;
    }[]) {
      if (event.name !== 'vehicles') continue;
      const id = event.id2?.local ?? event.id ?? '';
      if (event.ph === 'b') began.set(id, event.ts);
      if (event.ph === 'e') took.push((event.ts - (began.get(id) ?? event.ts)) / 1_000);
    }
  });
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['blink.user_timing'] },
  });
  await page.waitForTimeout(TRACED_SECONDS * 1_000);
  const complete = new Promise((done) => cdp.once('Tracing.tracingComplete', done));
  await cdp.send('Tracing.end');
  await complete;
  return took;
}

interface Watched {
  rows: [string, string][];
  /** The 95th percentile of the interval between frames. */
  frame: string;
  /** How busy the page's thread was. */
  busy: string;
}

/** Everything about a map that somebody looks at. */
async function watch(page: Page, name: string): Promise<Watched> {
  const cdp = await page.context().newCDPSession(page);
  // The thread's own time: on a busy machine, the clock on the wall would count the waiting too.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const canvas = page.locator('canvas[data-vehicles-drawn]');
  const drawn = `${await canvas.getAttribute('data-vehicles-drawn')} vehicles, ${await canvas.getAttribute('data-bubbles')} bubbles`;
  const [before, bytesBefore] = [await counters(cdp), await sentBytes()];
  const { intervals, longTasks } = await frames(page, SECONDS);
  const [bytes, after] = [(await sentBytes()) - bytesBefore, await counters(cdp)];
  const busy = (counter: string) =>
    `${((((after[counter] ?? 0) - (before[counter] ?? 0)) * 1_000) / SECONDS).toFixed(1)} ms/s`;
  const worker = await workerFrames(cdp, page);
  await cdp.detach();
  const rows: Watched['rows'] = [
    [`${name}: drawn`, drawn],
    [`${name}: page frame interval p50, p95, p99`, `${three(intervals)} ms`],
    [`${name}: long tasks`, `${longTasks.length}${longTasks.length ? `, longest ${ms(Math.max(...longTasks))}` : ''}`],
    [`${name}: main thread busy, of that scripts`, `${busy('TaskDuration')}, ${busy('ScriptDuration')}`],
    [
      `${name}: worker frames a second; p50, p95, p99`,
      `${(worker.length / TRACED_SECONDS).toFixed(1)}; ${three(worker)} ms`,
    ],
    [`${name}: socket`, `${(bytes / SECONDS / 1_000).toFixed(1)} kB/s`],
    [
      `${name}: growth of the page's heap`,
      `${(((after.JSHeapUsedSize ?? 0) - (before.JSHeapUsedSize ?? 0)) / 1e6).toFixed(2)} MB`,
    ],
  ];
  return { rows, frame: ms(rank(intervals, 0.95)), busy: busy('TaskDuration') };
}

async function firstPages(page: Page): Promise<number[]> {
  const answer = await page.request.post(`${URL}/auth/login`, { data: ACCOUNT });
  const { token } = (await answer.json()) as { token: string };
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

test('the console with a large fleet', async ({ page }) => {
  await page.goto(`${URL}/maps`);
  await fillLogin(page, ACCOUNT);
  await expect(page.locator('button[data-device-id]').first()).toBeVisible();
  await page.addInitScript(watchOpening);
  const openings: Opening[] = [];
  for (let count = 0; count < OPENINGS; count++) openings.push(await open(page));
  const vehicles = openings.map((opening) => opening.vehicles);
  const list = openings.map((opening) => opening.list);
  const rows: [string, string][] = [
    ['map open: first vehicles, median (max)', `${ms(rank(vehicles, 0.5))} (${ms(Math.max(...vehicles))})`],
    ['map open: list usable, median (max)', `${ms(rank(list, 0.5))} (${ms(Math.max(...list))})`],
  ];
  await page.waitForTimeout(2_000);
  const overview = await watch(page, 'overview');
  const zoomIn = page.getByRole('button', { name: 'Perbesar' });
  for (let zooms = 0; zooms < 4; zooms++) {
    await zoomIn.click();
    await page.waitForTimeout(1_000);
  }
  const nearer = await watch(page, 'nearer');
  const pages = await firstPages(page);
  const firstPage = `${ms(rank(pages, 0.5))}, ${ms(rank(pages, 0.95))}`;
  rows.push(...overview.rows, ...nearer.rows, ['first page of devices, median, p95', firstPage]);
  const table = rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n');
  process.stdout.write(`\n| ${DEVICES} devices | |\n|---|---|\n${table}\n\n`);
  await remember([
    `${DEVICES}, ${RATE}`,
    `${ms(rank(vehicles, 0.5))}, ${ms(rank(list, 0.5))}`,
    `${overview.frame}, ${nearer.frame}`,
    `${overview.busy}, ${nearer.busy}`,
    firstPage,
  ]);
});
