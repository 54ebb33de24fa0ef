import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  HANDSHAKE_LIMIT_MS,
  LiveConnection,
  QUIET_LIMIT_MS,
  SILENCE_LIMIT_MS,
  TicketError,
  type ConnectionStatus,
} from './connection';

/** A socket whose other end is the test. */
class FakeSocket {
  readyState: number = WebSocket.CONNECTING;
  sent: unknown[] = [];
  closedWith: [code?: number, reason?: string] | null = null;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(code?: number, reason?: string): void {
    this.closedWith = [code, reason];
    this.readyState = WebSocket.CLOSED;
  }
  accept(): void {
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }
  say(message: unknown): void {
    const isPlain = typeof message === 'string' || message instanceof ArrayBuffer;
    this.onmessage?.({ data: isPlain ? message : JSON.stringify(message) });
  }
  end(code: number): void {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code });
  }
}

function setUp(ticket: () => Promise<string> = () => Promise.resolve('ticket')) {
  const sockets: FakeSocket[] = [];
  const statuses: ConnectionStatus[] = [];
  const received: number[][] = [];
  const onOpen = vi.fn();
  const messages: unknown[] = [];
  const connection = new LiveConnection({
    ticket,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    onStatus: (status) => statuses.push(status),
    onOpen,
    onColumns: (bytes) => received.push([...bytes]) > 0 && bytes[0] !== 0xff,
    onMessage: (message) => messages.push(message),
  });
  const last = () => sockets.at(-1) as FakeSocket;
  const connect = async () => {
    connection.connect();
    await vi.advanceTimersByTimeAsync(0);
    last().accept();
  };
  const states = () => statuses.map(({ state }) => state);
  /** Milliseconds until the next socket is opened. */
  const untilNextSocket = async () => {
    const count = sockets.length;
    const start = Date.now();
    while (sockets.length === count && Date.now() - start < 60_000) await vi.advanceTimersByTimeAsync(50);
    return Date.now() - start;
  };
  return { connection, sockets, statuses, states, received, messages, onOpen, last, connect, untilNextSocket };
}

describe('LiveConnection', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Nothing is added to the delays, and nothing taken away.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('goes from connecting to connected and says what is looked at', async () => {
    const { connect, states, onOpen } = setUp();
    await connect();
    expect(states()).toEqual(['connecting', 'connected']);
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it('answers ping with pong, hands over bytes and other messages, and asks for everything anew when they make no sense', async () => {
    const { connect, last, received, messages } = setUp();
    await connect();
    last().say({ type: 'notification' });
    last().say({ type: 'ping' });
    last().say({ type: 'pong' });
    last().say('not json');
    last().say('7');
    last().say(new Uint8Array([8, 1]).buffer);
    expect(last().sent).toEqual([{ type: 'pong' }]);
    last().say(new Uint8Array([0xff]).buffer);
    expect(last().sent).toEqual([{ type: 'pong' }, { type: 'resync' }]);
    expect(received).toEqual([[8, 1], [0xff]]);
    expect(messages).toEqual([{ type: 'notification' }]);
  });

  it('reconnects 5 s after the network failed, each time', async () => {
    const { connect, last, untilNextSocket, states } = setUp();
    await connect();
    last().end(1006);
    expect(states().at(-1)).toBe('reconnecting');
    expect(await untilNextSocket()).toBe(5_000);
    last().end(1006);
    expect(await untilNextSocket()).toBe(5_000);
  });

  it('doubles the delay after other drops, and starts again once a socket has stood', async () => {
    const { connect, last, untilNextSocket } = setUp();
    await connect();
    const waited: number[] = [];
    for (let drop = 0; drop < 7; drop++) {
      last().end(1000);
      waited.push(await untilNextSocket());
    }
    expect(waited).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    // One that is accepted and dropped again says nothing yet.
    last().accept();
    await vi.advanceTimersByTimeAsync(9_900);
    last().end(1000);
    expect(await untilNextSocket()).toBe(30_000);
    last().accept();
    await vi.advanceTimersByTimeAsync(10_000);
    last().end(1000);
    expect(await untilNextSocket()).toBe(1_000);
  });

  it('says what went wrong until it is connected again', async () => {
    const { connect, last, statuses, untilNextSocket } = setUp();
    await connect();
    last().onerror?.();
    expect(statuses.at(-1)).toEqual({ state: 'error', problem: 'socket_error' });
    last().end(1006);
    expect(statuses.at(-1)).toEqual({ state: 'reconnecting', problem: 'socket_error' });
    await untilNextSocket();
    last().accept();
    expect(statuses.at(-1)).toEqual({ state: 'connected', problem: null });
  });

  it.each(['manual', 'user_switch'] as const)('stays disconnected after %s', async (reason) => {
    const { connect, connection, last, sockets, states } = setUp();
    await connect();
    const socket = last();
    connection.disconnect(reason);
    socket.end(1000);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(states().at(-1)).toBe('disconnected');
    expect(socket.closedWith).toEqual([1000, reason]);
    expect(sockets).toHaveLength(1);
  });

  it('reconnects 100 ms after it was asked to', async () => {
    const { connect, connection, sockets, untilNextSocket } = setUp();
    await connect();
    connection.reconnect();
    expect(await untilNextSocket()).toBe(100);
    expect(sockets).toHaveLength(2);
  });

  it('tries at once when the network is back, but only while it waits', async () => {
    const { connect, connection, last, sockets } = setUp();
    await connect();
    connection.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets).toHaveLength(1);
    last().end(1006);
    connection.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets).toHaveLength(2);
  });

  it('gives up after a million attempts', async () => {
    const { connection, connect, last, statuses, sockets } = setUp();
    await connect();
    // As if it had tried that often; a million turns of fake timers would only test patience.
    (connection as unknown as { attempts: number }).attempts = 1_000_000;
    last().end(1006);
    expect(statuses.at(-1)).toEqual({ state: 'error', problem: 'gave_up' });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sockets).toHaveLength(1);
  });

  it('waits by the reason for which there was no ticket', async () => {
    const reasons = ['network', 'server_error', 'policy', 'policy'] as const;
    let call = 0;
    const { connection, sockets } = setUp(() => {
      const reason = reasons[call++];
      return reason ? Promise.reject(new TicketError(reason)) : Promise.resolve('ticket');
    });
    connection.connect();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(call).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(call).toBe(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(call).toBe(3);
    // The third failure in a row, the first that doubles by count: 1 s · 2².
    await vi.advanceTimersByTimeAsync(4_000);
    expect(call).toBe(4);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sockets).toHaveLength(1);
  });

  it('pings every 30 s, however much is heard', async () => {
    const { connect, last } = setUp();
    await connect();
    for (let second = 1; second <= 60; second++) {
      last().say({ type: 'pong' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(last().sent).toEqual([{ type: 'ping' }, { type: 'ping' }]);
  });

  it('asks a silent server, says that there is no news, and takes that back with the first word', async () => {
    const { connect, last, statuses } = setUp();
    await connect();
    await vi.advanceTimersByTimeAsync(QUIET_LIMIT_MS - 1);
    expect(last().sent).toEqual([{ type: 'ping' }]);
    expect(statuses.at(-1)).toEqual({ state: 'connected', problem: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(statuses.at(-1)).toEqual({ state: 'connected', problem: 'silent' });
    last().say({ type: 'pong' });
    expect(statuses.at(-1)).toEqual({ state: 'connected', problem: null });
  });

  it('calls a quiet fleet live as long as the server answers', async () => {
    const { connect, last, statuses } = setUp();
    await connect();
    for (let second = 0; second < 120; second++) {
      const asked = last().sent.length;
      await vi.advanceTimersByTimeAsync(1_000);
      if (last().sent.length > asked) last().say({ type: 'pong' });
    }
    expect(statuses.filter(({ problem }) => problem === 'silent')).toEqual([]);
  });

  it('takes a silent connection for dead', async () => {
    const { connect, last, sockets } = setUp();
    await connect();
    const first = last();
    await vi.advanceTimersByTimeAsync(SILENCE_LIMIT_MS - 1);
    expect(first.closedWith).toBeNull();
    await vi.advanceTimersByTimeAsync(1 + 5_000);
    expect(first.closedWith).not.toBeNull();
    expect(sockets).toHaveLength(2);
  });

  it('gives up a socket that does not open, and tries again', async () => {
    const { connection, sockets, states } = setUp();
    connection.connect();
    await vi.advanceTimersByTimeAsync(HANDSHAKE_LIMIT_MS - 1);
    expect(states()).toEqual(['connecting']);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets[0]?.closedWith).not.toBeNull();
    expect(states().at(-1)).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sockets).toHaveLength(2);
  });
});
