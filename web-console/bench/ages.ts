import { expect, type Page, type Worker } from '@playwright/test';
import { WAIT_TIMEOUT_MS } from './opening';

/** How many positions were how old, in milliseconds, when they were drawn first. */
type Counts = [age: number, count: number][];

/** What the probe leaves in the worker. */
interface Probed {
  takeAges: () => Counts;
  isSettled: boolean;
}

/** How old positions were when they were drawn: from their instant, which is that of their publication. */
export interface Ages {
  count: number;
  median: number;
  p95: number;
  oldest: number;
}

/** Opens the map, and has its worker count from the beginning how old what it draws is. */
export async function probeAges(page: Page, open: () => Promise<unknown>): Promise<Worker> {
  const probed = page.waitForEvent('worker').then(async (worker) => {
    await worker.evaluate(probe);
    return worker;
  });
  const [worker] = await Promise.all([probed, open()]);
  return worker;
}

/** Waits until all that was known when the socket was opened has come. */
export async function settled(worker: Worker): Promise<void> {
  const isSettled = () => worker.evaluate(() => (self as unknown as Probed).isSettled);
  await expect.poll(isSettled, { timeout: WAIT_TIMEOUT_MS }).toBe(true);
}

/** What was counted since this was asked the last time. */
export async function takeAges(worker: Worker): Promise<Ages> {
  const counts = await worker.evaluate(() => (self as unknown as Probed).takeAges());
  counts.sort(([one], [other]) => one - other);
  const count = counts.reduce((sum, [, more]) => sum + more, 0);
  const at = (part: number) => {
    let seen = 0;
    return counts.find(([, more]) => (seen += more) >= count * part)?.[0] ?? NaN;
  };
  return { count, median: at(0.5), p95: at(0.95), oldest: counts.at(-1)?.[0] ?? NaN };
}

/**
 * Runs in the worker, and so knows nothing of this file. It reads along what comes on the socket, and the parts of the world
 * that the map says it shows; a frame that is measured ends the wait of all that came before it. What lies outside of the map
 * comes seldom, and counts for nothing.
 */
function probe(): void {
  const counts = new Map<number, number>();
  /** When those were recorded that were not drawn yet. */
  let waiting: number[] = [];
  let box: number[] | undefined;
  const probed = self as unknown as Probed;
  probed.isSettled = false;
  let isComplete = false;

  /** `LiveColumns` of proto/armada/v1/live.proto, as little of it as is needed. */
  const read = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const uint = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++] ?? 0;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    /**
     * Calls back at the beginning of each field with a length, with its end, and behind each number; passes over the others.
     */
    const fields = (end: number, found: (field: number, end: number, number: number) => void) => {
      while (at < end) {
        const tag = uint();
        const wire = tag & 7;
        if (wire === 0) {
          const number = uint();
          found(tag >>> 3, at, number);
        } else if (wire === 1) at += 8;
        else if (wire === 5) at += 4;
        else {
          const length = uint();
          const next = at + length;
          found(tag >>> 3, next, NaN);
          at = next;
        }
      }
    };
    let isMore = false;
    fields(bytes.length, (field, end, number) => {
      if (field === 4) isMore = number !== 0;
      if (field === 2) fields(end, (column, _, complete) => column === 2 && (isComplete = complete !== 0));
      if (field !== 3) return;
      const recordedAt: number[] = [];
      let [lat, lng] = [0, 0];
      fields(end, (column, end) => {
        if (column === 3) lat = at;
        if (column === 4) lng = at;
        for (let sum = 0; column === 2 && at < end; recordedAt.push(sum)) {
          const zigzag = uint();
          sum += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
        }
      });
      recordedAt.forEach((instant, place) => {
        const degrees = (column: number) => view.getInt32(column + 4 * place, true) / 1e7;
        if (isShown(degrees(lat), degrees(lng))) waiting.push(instant);
      });
    });
    probed.isSettled ||= isComplete && !isMore;
  };
  const isShown = (lat: number, lng: number) => {
    // Nobody has said yet: the map shows all.
    if (!box) return true;
    const [west = 0, south = 0, east = 0, north = 0] = box;
    return lat >= south && lat <= north && lng >= west && lng <= east;
  };

  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', {
    ...data,
    get(this: MessageEvent) {
      const value: unknown = data?.get?.call(this);
      if (value instanceof ArrayBuffer) read(new Uint8Array(value));
      return value;
    },
  });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (this: WebSocket, message) {
    const sent = JSON.parse(String(message)) as { type: string; payload?: { box?: number[] } };
    if (sent.type === 'view') box = sent.payload?.box?.length ? sent.payload.box : undefined;
    send.call(this, message);
  };
  const measure = performance.measure.bind(performance);
  performance.measure = (name, ...rest) => {
    if (name === 'vehicles') {
      const now = Date.now();
      for (const instant of waiting) {
        const age = Math.max(0, now - instant);
        counts.set(age, (counts.get(age) ?? 0) + 1);
      }
      waiting = [];
    }
    return measure(name, ...rest);
  };
  probed.takeAges = () => {
    const taken = [...counts];
    counts.clear();
    return taken;
  };
}
