import type { CDPSession, Page, Worker } from '@playwright/test';
import { takeAges } from './ages';
import { ms, rank, three } from './numbers';
import { SECONDS } from './settings';
import { METRICS } from './site';

/** Seconds in which the worker's frames are recorded: recording costs time itself. */
const TRACED_SECONDS = 5;

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

/** What the page has used, after its garbage has been collected. */
export async function counters(cdp: CDPSession): Promise<Record<string, number>> {
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

/** What was seen of a map. */
export interface Watched {
  rows: [string, string][];
  /** The 95th percentile of the interval between frames. */
  frame: string;
  /** How busy the page's thread was. */
  busy: string;
  /** How old positions were when they were drawn: the median, the 95th of 100, and the oldest. */
  ages: string;
}

/** Everything about a map that somebody looks at; its worker counts ages. */
export async function watch(page: Page, worker: Worker, name: string): Promise<Watched> {
  const cdp = await page.context().newCDPSession(page);
  // The thread's own time: on a busy machine, the clock on the wall would count the waiting too.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const canvas = page.locator('canvas[data-vehicles-drawn]');
  const drawn = `${await canvas.getAttribute('data-vehicles-drawn')} vehicles, ${await canvas.getAttribute('data-bubbles')} bubbles`;
  const [before, bytesBefore] = [await counters(cdp), await sentBytes()];
  await takeAges(worker);
  const { intervals, longTasks } = await frames(page, SECONDS);
  const { count, median, p95, oldest } = await takeAges(worker);
  const [bytes, after] = [(await sentBytes()) - bytesBefore, await counters(cdp)];
  const busy = (counter: string) =>
    `${((((after[counter] ?? 0) - (before[counter] ?? 0)) * 1_000) / SECONDS).toFixed(1)} ms/s`;
  const took = await workerFrames(cdp, page);
  await cdp.detach();
  const ages = `${median} ms, ${p95} ms, ${oldest} ms`;
  const rows: Watched['rows'] = [
    [`${name}: drawn`, drawn],
    [`${name}: page frame interval p50, p95, p99`, `${three(intervals)} ms`],
    [`${name}: long tasks`, `${longTasks.length}${longTasks.length ? `, longest ${ms(Math.max(...longTasks))}` : ''}`],
    [`${name}: main thread busy, of that scripts`, `${busy('TaskDuration')}, ${busy('ScriptDuration')}`],
    [
      `${name}: worker frames a second; p50, p95, p99`,
      `${(took.length / TRACED_SECONDS).toFixed(1)}; ${three(took)} ms`,
    ],
    [
      `${name}: positions drawn a second; after their publication p50, p95, max`,
      `${Math.round(count / SECONDS)}; ${ages}`,
    ],
    [`${name}: socket`, `${(bytes / SECONDS / 1_000).toFixed(1)} kB/s`],
    [
      `${name}: growth of the page's heap`,
      `${(((after.JSHeapUsedSize ?? 0) - (before.JSHeapUsedSize ?? 0)) / 1e6).toFixed(2)} MB`,
    ],
  ];
  return { rows, frame: ms(rank(intervals, 0.95)), busy: busy('TaskDuration'), ages };
}
