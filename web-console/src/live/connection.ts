import { MANUAL_DELAY_MS, closeReason, reconnectDelay, type CloseReason } from './reconnect';

/** States of the live connection. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'error' | 'reconnecting';

/** What went wrong, for the user to read. */
export type ConnectionProblem = 'socket_error' | 'gave_up' | 'worker_failed' | 'silent';

/** The connection as a screen shows it. */
export interface ConnectionStatus {
  state: ConnectionState;
  problem: ConnectionProblem | null;
}

/** A ticket that could not be had; `reason` decides when the next one is asked for. */
export class TicketError extends Error {
  readonly reason: CloseReason;

  constructor(reason: CloseReason) {
    super(`no ticket: ${reason}`);
    this.reason = reason;
  }
}

/** What the connection needs of the world. */
export interface ConnectionPorts {
  /** A single-use ticket; throws `TicketError`. */
  ticket: () => Promise<string>;
  open: (ticket: string) => WebSocket;
  onStatus: (status: ConnectionStatus) => void;
  /** The socket is open: the moment to say what is looked at. */
  onOpen: () => void;
  /** A binary message; false when it cannot be understood, and then everything has to be told anew. */
  onColumns: (bytes: Uint8Array) => boolean;
  /** Any other message. */
  onMessage: (message: Record<string, unknown>) => void;
}

/** How often each side makes itself heard. */
const PING_INTERVAL_MS = 30_000;
/** A socket that is not open by then is given up: a dead network does not refuse, it says nothing. */
export const HANDSHAKE_LIMIT_MS = 15_000;
/** Whoever has heard nothing for this long asks whether anybody is there, besides the pings that go out anyway. */
const PROBE_AFTER_MS = 10_000;
/** What is shown is not called live any more when nothing was heard for this long. */
export const QUIET_LIMIT_MS = 15_000;
/** A socket that stood for so long is a good one: the next that breaks is the first. */
const STANDING_MS = 10_000;
/** How often it is looked whether anything was heard. */
const WATCH_INTERVAL_MS = 5_000;
/** A connection that was silent for this long is dead, whatever the socket believes. */
export const SILENCE_LIMIT_MS = 75_000;

/** The live socket: it connects, stays connected, and reports what it hears. */
export class LiveConnection {
  private socket: WebSocket | null = null;
  private status: ConnectionStatus = { state: 'disconnected', problem: null };
  private attempts = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  private watchTimer: ReturnType<typeof setInterval> | undefined;
  private handshakeTimer: ReturnType<typeof setTimeout> | undefined;
  private standingTimer: ReturnType<typeof setTimeout> | undefined;
  private lastHeard = 0;
  /** Grows with every start and stop, so that a late answer of an earlier life is ignored. */
  private life = 0;

  private readonly ports: ConnectionPorts;

  constructor(ports: ConnectionPorts) {
    this.ports = ports;
  }

  /** Connects, unless that is done or under way. */
  connect(): void {
    if (this.socket || this.status.state === 'connecting') return;
    void this.attempt('connecting');
  }

  /** Drops what there is and connects again after a moment, whatever happened before. */
  reconnect(): void {
    this.drop('manual');
    this.attempts = 0;
    this.show('reconnecting', null);
    this.retryTimer = setTimeout(() => void this.attempt('reconnecting'), MANUAL_DELAY_MS);
  }

  /** Tries at once when it is waiting for its next attempt: the network came back. */
  retryNow(): void {
    if (this.retryTimer !== undefined) void this.attempt('reconnecting');
  }

  /** Ends the connection for good. */
  disconnect(reason: Extract<CloseReason, 'manual' | 'user_switch'>): void {
    this.drop(reason);
    this.show('disconnected', null);
  }

  /** Sends a message if somebody can hear it; false when nobody can. */
  send(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private async attempt(state: 'connecting' | 'reconnecting'): Promise<void> {
    // Whoever connects while it waits does so instead of what was planned, not besides.
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    const life = ++this.life;
    this.show(state, this.status.problem);
    let ticket: string;
    try {
      ticket = await this.ports.ticket();
    } catch (error) {
      if (life === this.life) this.retry(error instanceof TicketError ? error.reason : 'other');
      return;
    }
    if (life === this.life) this.listen(this.ports.open(ticket));
  }

  private listen(socket: WebSocket): void {
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    const current = () => this.socket === socket;
    this.handshakeTimer = setTimeout(() => this.giveUp(socket), HANDSHAKE_LIMIT_MS);
    socket.onopen = () => {
      if (!current()) return;
      clearTimeout(this.handshakeTimer);
      this.standingTimer = setTimeout(() => (this.attempts = 0), STANDING_MS);
      this.show('connected', null);
      this.startHeartbeat();
      this.ports.onOpen();
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (current()) this.receive(event.data);
    };
    socket.onerror = () => {
      if (current()) this.show('error', 'socket_error');
    };
    socket.onclose = (event) => {
      if (current()) this.lost(closeReason(event.code));
    };
  }

  private receive(data: unknown): void {
    this.lastHeard = Date.now();
    if (this.status.problem === 'silent') this.show('connected', null);
    if (data instanceof ArrayBuffer) {
      if (!this.ports.onColumns(new Uint8Array(data))) this.send({ type: 'resync' });
      return;
    }
    const message = parse(data);
    if (message?.type === 'ping') this.send({ type: 'pong' });
    else if (message && message.type !== 'pong') this.ports.onMessage(message);
  }

  private giveUp(socket: WebSocket): void {
    this.lost('network');
    socket.close();
  }

  private startHeartbeat(): void {
    this.lastHeard = Date.now();
    this.stopHeartbeat();
    this.pingTimer = setInterval(() => this.send({ type: 'ping' }), PING_INTERVAL_MS);
    this.watchTimer = setInterval(() => this.watchSilence(), WATCH_INTERVAL_MS);
  }

  private stopHeartbeat(): void {
    clearInterval(this.pingTimer);
    clearInterval(this.watchTimer);
  }

  private watchSilence(): void {
    const silence = Date.now() - this.lastHeard;
    if (silence >= SILENCE_LIMIT_MS && this.socket) return this.giveUp(this.socket);
    if (silence >= QUIET_LIMIT_MS) this.show('connected', 'silent');
    if (silence >= PROBE_AFTER_MS) this.send({ type: 'ping' });
  }

  private lost(reason: CloseReason): void {
    this.forgetSocket();
    this.retry(reason);
  }

  private retry(reason: CloseReason): void {
    this.attempts += 1;
    const delay = reconnectDelay(reason, this.attempts);
    if (delay === null) return this.show('error', 'gave_up');
    this.show('reconnecting', this.status.problem);
    this.retryTimer = setTimeout(() => void this.attempt('reconnecting'), delay);
  }

  private drop(reason: CloseReason): void {
    this.life += 1;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    const socket = this.socket;
    this.forgetSocket();
    socket?.close(1000, reason);
  }

  private forgetSocket(): void {
    this.stopHeartbeat();
    clearTimeout(this.handshakeTimer);
    clearTimeout(this.standingTimer);
    this.socket = null;
  }

  private show(state: ConnectionState, problem: ConnectionProblem | null): void {
    if (this.status.state === state && this.status.problem === problem) return;
    this.status = { state, problem };
    this.ports.onStatus(this.status);
  }
}

function parse(data: unknown): Record<string, unknown> | null {
  if (typeof data !== 'string') return null;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
