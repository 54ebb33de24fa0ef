import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { counters } from './watching';

/** How often it is looked. */
const EVERY_SECONDS = 30;
/** A page that has just been opened still grows by what it loads. */
const WARM_SECONDS = 60;

/** Memory at a moment, MB. */
interface Sample {
  minute: number;
  /** The page's heap, without garbage. */
  heap: number;
  /** Resident memory of the processes of pages: with that of the worker, which has no counter. */
  resident: number;
}

/** What the memory of an open map came to. */
export interface Grown {
  /** At the beginning and at the end, and how much a minute. */
  heap: string;
  resident: string;
}

/** Looks at memory for so many minutes. */
export async function heapOver(page: Page, minutes: number): Promise<Grown> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page belongs to no browser');
  const [cdp, processes] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()];
  await cdp.send('Performance.enable');
  const resident = async () => {
    const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    const sizes = await Promise.all(pages.map(({ id }) => residentOf(id)));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  await page.waitForTimeout(WARM_SECONDS * 1_000);
  const samples: Sample[] = [];
  const began = Date.now();
  for (let due = 0; due <= minutes * 60; due += EVERY_SECONDS) {
    await page.waitForTimeout(Math.max(0, began + due * 1_000 - Date.now()));
    const heap = ((await counters(cdp)).JSHeapUsedSize ?? NaN) / 1e6;
    samples.push({ minute: (Date.now() - began) / 60_000, heap, resident: await resident() });
  }
  await cdp.detach();
  await processes.detach();
  return { heap: grown(samples, ({ heap }) => heap), resident: grown(samples, (sample) => sample.resident) };
}

/** Resident memory of a process, MB; nothing of one that has ended meanwhile. */
async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1e3;
}

function grown(samples: Sample[], of: (sample: Sample) => number): string {
  const [first, last] = [samples[0], samples.at(-1)].map((sample) => (sample ? of(sample) : NaN));
  return `${first?.toFixed(1)} MB, ${last?.toFixed(1)} MB, ${slope(samples, of).toFixed(2)} MB/min`;
}

/** By least squares: how much a minute. */
function slope(samples: Sample[], of: (sample: Sample) => number): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [minute, value] = [mean(samples.map((sample) => sample.minute)), mean(samples.map(of))];
  const together = samples.map((sample) => (sample.minute - minute) * (of(sample) - value));
  const square = samples.map((sample) => (sample.minute - minute) ** 2);
  return mean(together) / mean(square);
}
