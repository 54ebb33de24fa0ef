// The page's own WebSocket would be jsdom's, whose events Node does not know.
import { WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import texts from '@/locales/en/maps.json';
import { CUT, NO_CODE, closingServer, type ClosingServer } from '@/testing/closingServer';
import { LiveConnection, type ConnectionStatus } from './connection';

let server: ClosingServer;
let connection: LiveConnection;
let opened = 0;
let statuses: ConnectionStatus[] = [];
const present = () => statuses.at(-1);
const state = () => present()?.state;

beforeAll(async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  server = await closingServer();
});
afterAll(() => server.stop());

// What the connection waits for; the network goes on by itself.
const realTimeout = globalThis.setTimeout;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  // Nothing is added to the delays, and nothing taken away.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  opened = 0;
  statuses = [];
  connection = new LiveConnection({
    ticket: () => Promise.resolve('ticket'),
    open: () => {
      opened += 1;
      return new WebSocket(server.url) as unknown as globalThis.WebSocket;
    },
    onStatus: (status) => statuses.push(status),
    onOpen: () => undefined,
    onColumns: () => true,
    onMessage: () => undefined,
  });
});
afterEach(() => {
  connection.disconnect('manual');
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets the network have its turns until something is so; for the connection no time goes by. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((turn) => realTimeout(turn, 0));
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** Milliseconds of the connection until it opens another socket. */
async function untilNextSocket(): Promise<number> {
  const [before, start] = [opened, Date.now()];
  while (opened === before && Date.now() - start < 60_000) await vi.advanceTimersByTimeAsync(10);
  return Date.now() - start;
}

async function connect(): Promise<void> {
  connection.connect();
  await until(() => state() === 'connected');
}

/** What the user reads. */
const textOf = ({ state, problem }: ConnectionStatus): string[] => [
  texts.connection[state],
  ...(problem ? [texts.connection.problem[problem]] : []),
];

describe('a server that closes', () => {
  it.each([
    [1000, 'it is done', 1_000, null],
    [1001, 'it stops', 5_000, null],
    [1002, 'a fault of the protocol', 1_000, null],
    [1003, 'what it cannot read', 1_000, null],
    [NO_CODE, 'it says no code', 1_000, null],
    [CUT, 'it is cut off', 5_000, 'WebSocket connection error'],
    [1007, 'what makes no sense', 1_000, null],
    [1008, 'the session has ended', 1_000, null],
    [1009, 'too large a message', 1_000, null],
    [1011, 'it cannot go on', 5_000, null],
    [1012, 'it begins anew', 5_000, null],
    [1013, 'it has too much to do', 5_000, null],
    [1014, 'what is behind it is gone', 5_000, null],
    [3000, 'a code of a library', 1_000, null],
    [4000, 'a code of a program', 1_000, null],
  ] as const)('with %i, since %s, is tried again after %i ms', async (code, _reason, delay, problem) => {
    await connect();
    server.close(code);
    await until(() => state() === 'reconnecting');
    expect(textOf(present() as ConnectionStatus)).toEqual(['Reconnecting…', ...(problem ? [problem] : [])]);
    expect(await untilNextSocket()).toBe(delay);
    await until(() => state() === 'connected');
    expect(textOf(present() as ConnectionStatus)).toEqual(['Live']);
  });

  it('again and again is tried after the first delay each time, since it stood in between', async () => {
    await connect();
    for (const [code, delay] of [
      [1000, 1_000],
      [1001, 5_000],
      [1000, 1_000],
    ] as const) {
      await vi.advanceTimersByTimeAsync(10_000);
      server.close(code);
      await until(() => state() === 'reconnecting');
      expect(await untilNextSocket()).toBe(delay);
      await until(() => state() === 'connected');
    }
  });

  it('is left alone by who closes', async () => {
    await connect();
    connection.disconnect('user_switch');
    expect(textOf(present() as ConnectionStatus)).toEqual(['Disconnected']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect([opened, state()]).toEqual([1, 'disconnected']);
  });

  it('is connected to 100 ms after somebody asked for it, by one socket, whatever was planned', async () => {
    await connect();
    server.close(1001);
    await until(() => state() === 'reconnecting');
    connection.reconnect();
    expect(await untilNextSocket()).toBe(100);
    await until(() => state() === 'connected');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(opened).toBe(2);
  });
});

describe('a server that is not there', () => {
  it('is told, tried every 5 s, and given up after a million attempts', async () => {
    const gone = await closingServer();
    gone.stop();
    const { url } = server;
    server.url = gone.url;
    try {
      connection.connect();
      await until(() => state() === 'reconnecting');
      expect(textOf(present() as ConnectionStatus)).toEqual(['Reconnecting…', 'WebSocket connection error']);
      // As if it had tried that often.
      (connection as unknown as { attempts: number }).attempts = 1_000_000;
      expect(await untilNextSocket()).toBe(5_000);
      await until(() => present()?.problem === 'gave_up');
      expect(textOf(present() as ConnectionStatus)).toEqual(['Connection problem', 'Unable to connect to server']);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(opened).toBe(2);
    } finally {
      server.url = url;
    }
  });
});
