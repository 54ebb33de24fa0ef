import type { Motion } from '@/api/generated';
import { closeReason, reconnectDelay } from '@/live/reconnect';
import type { MapSource } from '@/map/tileSource';

/** Where a vehicle was at its newest fix. */
export interface SharedPosition {
  number: number;
  recorded_at: string;
  lat: number;
  lng: number;
  speed?: number;
  course?: number;
  motion: Motion;
}

/** A vehicle that a link shows. */
export interface SharedVehicle {
  /** By which positions name it while the socket is open. */
  number: number;
  name: string;
  position?: SharedPosition;
  /** Seconds after which its position is old, and after which it is offline, where these are not the usual ones. */
  stale_seconds?: number;
  offline_seconds?: number;
}

/** Why a link shows nothing. */
export type LinkEndReason = 'expired' | 'withdrawn' | 'over';

/** What a visitor sees of a link. */
export type VisitState =
  | { stage: 'opening'; failed: boolean }
  | { stage: 'pin'; busy: boolean; problem: string | null }
  | { stage: 'over'; why: LinkEndReason }
  | { stage: 'live'; connected: boolean; vehicles: SharedVehicle[]; expiresAt: string; mapSources: MapSource[] };

type Message =
  | { type: 'vehicles'; payload: { vehicles: SharedVehicle[]; expires_at: string } }
  | { type: 'positions'; payload: { positions: SharedPosition[] } }
  | { type: 'map_sources'; payload: { items: MapSource[] } }
  | { type: 'ping' };

interface View {
  needs_pin: boolean;
  session_token: string;
  ticket: string;
  map_sources?: MapSource[];
}

interface Refusal {
  error?: string;
  message?: string;
  fields?: Record<string, string>;
}

const SESSION_KEY = 'share_session';
/** The server says something every 30 seconds; who hears nothing for so long has no connection any more. */
const SILENCE_MS = 75_000;
const WHY: Record<string, LinkEndReason> = { share_link_expired: 'expired', share_link_withdrawn: 'withdrawn' };

/** One visit of a link: opens it, keeps a socket to it, and finds out why it shows nothing any more. */
export class Visit {
  private state: VisitState = { stage: 'opening', failed: false };
  private readonly listeners = new Set<() => void>();
  private readonly token: string;
  private socket: WebSocket | null = null;
  private attempt = 0;
  /** As they were offered last. */
  private mapSources: MapSource[] = [];
  private later: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** Of the visit that is under way. */
  private ending = new AbortController();

  /** `token` is the last part of the link's address. */
  constructor(token: string) {
    this.token = token;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): VisitState => this.state;

  /** Begins, or begins again. */
  start(): void {
    this.ending = new AbortController();
    void this.open();
  }

  /** Ends it, and with it the socket. */
  stop(): void {
    this.ending.abort();
    clearTimeout(this.later);
    clearTimeout(this.silence);
    this.socket?.close();
    this.socket = null;
  }

  /** Opens the link with what the visitor has typed. */
  enter(pin: string): void {
    this.notify({ stage: 'pin', busy: true, problem: null });
    void this.open(pin);
  }

  private notify(state: VisitState): void {
    this.state = state;
    for (const each of this.listeners) each();
  }

  private async open(pin?: string): Promise<void> {
    if (this.token === '') return this.notify({ stage: 'over', why: 'over' });
    const body = { url_token: this.token, pin, session_token: sessionOf(this.token) };
    const { signal } = this.ending;
    const answer = await send(body, signal).catch(() => null);
    if (signal.aborted) return;
    if (answer === null || answer.status >= 500) return this.failed(pin);
    if (answer.status === 200) return this.opened(answer.body as View);
    const { error = '', message = '', fields = {} } = answer.body as Refusal;
    if (answer.status === 404) return this.notify({ stage: 'over', why: WHY[error] ?? 'over' });
    if (pin !== undefined) return this.notify({ stage: 'pin', busy: false, problem: fields.pin ?? message });
    this.failed(pin);
  }

  private opened({ needs_pin: needsPin, session_token: session, ticket, map_sources: offered = [] }: View): void {
    if (needsPin) return this.notify({ stage: 'pin', busy: false, problem: null });
    keepSession(this.token, session);
    this.offer(offered);
    this.connect(ticket);
  }

  /** While their addresses are the same, the map stays as it is. */
  private offer(mapSources: MapSource[]): void {
    if (JSON.stringify(mapSources) === JSON.stringify(this.mapSources)) return;
    this.mapSources = mapSources;
    if (this.state.stage === 'live') this.notify({ ...this.state, mapSources });
  }

  /** No answer, or none that says anything of the link: it is tried again, and what was shown stays. */
  private failed(pin?: string): void {
    if (this.state.stage === 'opening') this.notify({ stage: 'opening', failed: true });
    if (this.state.stage === 'live') this.notify({ ...this.state, connected: false });
    this.again(reconnectDelay('network', ++this.attempt), pin);
  }

  private again(delay: number | null, pin?: string): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => void this.open(pin), delay ?? 0);
  }

  private connect(ticket: string): void {
    const address = new URL(`/ws/shared?token=${encodeURIComponent(ticket)}`, window.location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.socket = socket;
    this.listenFor(socket);
    socket.onmessage = ({ data }) => {
      this.listenFor(socket);
      this.onMessage(JSON.parse(String(data)) as Message, socket);
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearTimeout(this.silence);
      const wasOpen = this.state.stage === 'live' && this.state.connected;
      if (this.state.stage === 'live') this.notify({ ...this.state, connected: false });
      // The server ended it: why, it says at once to who asks again.
      const isRefused = closeReason(code) === 'policy' && wasOpen;
      this.again(isRefused ? 0 : reconnectDelay(closeReason(code), ++this.attempt));
    };
  }

  private listenFor(socket: WebSocket): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => socket.close(), SILENCE_MS);
  }

  private onMessage(message: Message, socket: WebSocket): void {
    switch (message.type) {
      case 'ping':
        socket.send(JSON.stringify({ type: 'pong' }));
        return;
      case 'map_sources':
        // A page may stay open for longer than the addresses hold.
        this.offer(message.payload.items);
        return;
      case 'vehicles': {
        this.attempt = 0;
        const { vehicles, expires_at: expiresAt } = message.payload;
        this.notify({ stage: 'live', connected: true, vehicles, expiresAt, mapSources: this.mapSources });
        return;
      }
      case 'positions': {
        if (this.state.stage !== 'live') return;
        const newest = new Map(message.payload.positions.map((position) => [position.number, position]));
        const moved = (vehicle: SharedVehicle) => ({
          ...vehicle,
          position: newest.get(vehicle.number) ?? vehicle.position,
        });
        this.notify({ ...this.state, vehicles: this.state.vehicles.map(moved) });
      }
    }
  }
}

async function send(body: object, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
  const answer = await fetch('/api/v1/shared-view', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
    credentials: 'omit',
    body: JSON.stringify(body),
    signal,
  });
  return { status: answer.status, body: await answer.json() };
}

/** Who has opened the link in this tab need not say its PIN again when the page is loaded again. */
function sessionOf(token: string): string | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SESSION_KEY) ?? 'null') as { token: string; session: string } | null;
    return kept?.token === token ? kept.session : undefined;
  } catch {
    return undefined;
  }
}

function keepSession(token: string, session: string): void {
  try {
    sessionStorage.setItem(SESSION_KEY, JSON.stringify({ token, session }));
  } catch {
    // Then the PIN is asked for again.
  }
}
