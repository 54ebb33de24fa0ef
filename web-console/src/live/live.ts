import type { ConnectionStatus } from './connection';
import type { LiveDevice, StateCounts } from './liveDevice';
import type {
  Answers,
  Bounds,
  BoundsOf,
  DeviceGroup,
  GlideReport,
  GroupHead,
  Hit,
  ListQuery,
  ListReport,
  LiveMessage,
  LiveReport,
  NearVehicle,
  SilentVehicle,
} from './protocol';
import type { Place } from '@/lib/greatCircle';
import type { CloseReason } from './reconnect';
import { TicketError } from './connection';
import { announceLive } from './presentLive';
import { VEHICLE_STATES } from './vehicleState';

/** Whose devices are looked at, and how a ticket for that is had. */
export interface LiveUser {
  /** The chosen user, or null for oneself. */
  userId: string | null;
  /** A single-use ticket; throws `TicketError`. */
  ticket: () => Promise<string>;
  onStatus: (status: ConnectionStatus) => void;
}

/** The part of a worker that is used. */
export interface LivePort {
  postMessage: (message: LiveMessage, transfer: Transferable[]) => void;
  onmessage: ((event: MessageEvent<LiveReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate: () => void;
}

/** What the server says besides where vehicles are, by its `type`. */
export type ServerMessage = Record<string, unknown>;

/** Told when a frame is on the canvas. */
export type OnDrawn = (viewId: number, vehicles: number, bubbles: number) => void;

/** Reports that tell of the fleet, and not of the connection or the canvas. */
const OF_THE_FLEET = new Set<LiveReport['type']>(['counts', 'list', 'devices', 'glide', 'settled']);
const NO_COUNTS = Object.fromEntries(VEHICLE_STATES.map((state) => [state, 0])) as StateCounts;
const NO_LIST: ListReport = { total: 0, fleetSize: 0, complete: false, first: 0, ids: [], devices: [] };

/** The list as the page holds it: the part that is looked at, with all of its devices. */
export interface LiveList extends Omit<ListReport, 'ids' | 'heads'> {
  /** By place in the list, from `first` on; nothing where the head of a group stands. */
  devices: LiveDevice[];
  /** By place in the list; none where it does not stand by groups. */
  heads?: ReadonlyMap<number, GroupHead>;
}

/**
 * The page's side of everything live, which all screens share. A worker owns the socket, what is known of the fleet, and the map's canvas; here
 * arrives only what is on the screen, a few times a second.
 */
export class LiveSession {
  private port: LivePort | null = null;
  private user: LiveUser | null = null;
  /** The ticket of the first connection, until the worker has asked for it. */
  private firstTicket: Promise<string> | null = null;
  private query: ListQuery | null = null;
  private chosen: string[] = [];
  private groups: DeviceGroup[] | null = null;
  /** The worker has failed, and nobody has asked for another one yet. */
  private broken = false;
  private workers = 0;
  private messageListeners = new Map<string, Set<(message: ServerMessage) => void>>();
  private watchers = new Map<string, Set<() => void>>();
  private devices = new Map<string, LiveDevice | null>();
  private watchPending = false;
  private listDevices = new Map<string, LiveDevice>();
  private waiting = new Map<number, (answer: never) => void>();
  private requests = 0;
  private listeners = new Set<() => void>();
  private glideListeners = new Set<(glide: GlideReport) => void>();
  private settleListeners = new Set<() => void>();
  private lastGlides = new Map<string, GlideReport>();
  private isSettled = false;
  /** Reports of what was known before are still on their way until the worker has said this often that it forgot it. */
  private forgetting = 0;
  private currentCounts = NO_COUNTS;
  private currentList: LiveList = { ...NO_LIST, devices: [], heads: undefined };
  /** Told when a frame is on the canvas; there is one canvas at most. */
  onDrawn: OnDrawn | null = null;

  private readonly createPort: () => LivePort | null;

  constructor(createPort: () => LivePort | null) {
    this.createPort = createPort;
  }

  /** Connects as a user. What was known as another user must have been cleared before. */
  start(user: LiveUser): void {
    this.user = user;
    // The worker asks for it when it has been loaded. Who asks learns of a failure.
    this.firstTicket = user.ticket();
    this.firstTicket.catch(() => undefined);
    this.broken = false;
    this.send({ type: 'start', address: socketAddress(user.userId) });
  }

  /** Closes the connection; what is known stays until it is cleared. */
  stop(reason: Extract<CloseReason, 'manual' | 'user_switch'>): void {
    this.user = null;
    this.firstTicket = null;
    this.send({ type: 'stop', reason });
  }

  /** Drops the connection and makes a new one. */
  reconnect(): void {
    if (this.broken) this.restart();
    else this.send({ type: 'reconnect' });
  }

  /** Tries again at once, if it waits to: the network is back. */
  retryNow(): void {
    if (this.broken) this.restart();
    else this.send({ type: 'retry' });
  }

  /** Ends the connection and forgets what it told: another person looks now, or nobody. */
  end(): void {
    if (this.user) this.stop('user_switch');
    this.clear();
  }

  /** Calls back with what the server says of a type. Returns what ends it. */
  onMessage(type: string, listener: (message: ServerMessage) => void): () => void {
    const listeners = this.messageListeners.get(type) ?? new Set();
    this.messageListeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Which worker this is; what was handed over to one before it, a canvas, has to be made anew. */
  worker = (): number => this.workers;

  /** Forgets everything: another person looks now. */
  clear(): void {
    this.devices.clear();
    this.listDevices.clear();
    this.currentCounts = NO_COUNTS;
    this.currentList = { ...NO_LIST, devices: [], heads: undefined };
    this.lastGlides.clear();
    this.isSettled = false;
    if (this.port) {
      this.forgetting += 1;
      this.send({ type: 'clear' });
    }
    for (const watchers of this.watchers.values()) for (const each of watchers) each();
    for (const each of this.listeners) each();
  }

  /** Calls back when a device changes, at most four times a second. Returns what ends it. */
  watch(id: string, changed: () => void): () => void {
    const watchers = this.watchers.get(id) ?? new Set();
    this.watchers.set(id, watchers.add(changed));
    this.watchSoon();
    return () => {
      watchers.delete(changed);
      if (watchers.size > 0) return;
      this.watchers.delete(id);
      this.watchSoon();
    };
  }

  /**
   * A watched device; null when there is none, undefined while that is not known. The same object until it changes. What the list
   * shows is known before the worker has answered.
   */
  device(id: string): LiveDevice | null | undefined {
    return this.devices.has(id) ? this.devices.get(id) : this.listDevices.get(id);
  }

  /** Looks at a list; null for none. */
  ask(query: ListQuery | null): void {
    if (query === null) this.listDevices.clear();
    this.query = query;
    this.send({ type: 'list', query });
  }

  /** Calls back when counts or the list have changed, or all has come. Returns what ends it. */
  subscribe = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  };

  /** Vehicles by state, as of at most a second ago. */
  counts = (): StateCounts => this.currentCounts;

  /** The list that is looked at. */
  list = (): LiveList => this.currentList;

  /** The ways along which the chosen vehicles are drawn, now and whenever one is another. Returns what ends it. */
  onGlide(listener: (glide: GlideReport) => void): () => void {
    this.glideListeners.add(listener);
    for (const glide of this.lastGlides.values()) listener(glide);
    return () => this.glideListeners.delete(listener);
  }

  /** Calls back once all that was known at the start has come; at once when it has. Returns what ends it. */
  onceSettled(listener: () => void): () => void {
    if (this.isSettled) listener();
    else this.settleListeners.add(listener);
    return () => this.settleListeners.delete(listener);
  }

  /** Whether all that was known at the start has come: what was counted before says little. */
  settled = (): boolean => this.isSettled;

  /** What lies at a point of the canvas. */
  hit(x: number, y: number): Promise<Hit> {
    return this.request<'hit'>((request) => ({ type: 'hit', request, x, y }));
  }

  /** The smallest part of the world with these vehicles, or with those on the map; null when there are none. */
  bounds(of: BoundsOf): Promise<Bounds | null> {
    return this.request<'bounds'>((request) => ({ type: 'bounds', request, of }));
  }

  /** The place of a device in the list that is looked at, or -1. */
  indexOf(id: string): Promise<number> {
    return this.request<'index_of'>((request) => ({ type: 'index_of', request, id }));
  }

  /** The devices of the list from one place to another, both counted, in either order. */
  idsBetween(one: number, other: number): Promise<string[]> {
    return this.request<'ids_between'>((request) => ({ type: 'ids_between', request, one, other }));
  }

  /** Of the vehicles on the map so many that are nearest to a place in degrees, the nearest first. */
  nearest([lat, lng]: Place, count: number): Promise<NearVehicle[]> {
    return this.request<'nearest'>((request) => ({ type: 'nearest', request, lat, lng, count }));
  }

  /** Of the vehicles in use so many that have been offline for the longest, the longest first. */
  longestSilent(count: number): Promise<SilentVehicle[]> {
    return this.request<'longest_silent'>((request) => ({ type: 'longest_silent', request, count }));
  }

  /** Chooses vehicles: they are marked, their trails are kept, their ways are told. */
  choose(ids: string[]): void {
    for (const id of this.lastGlides.keys()) if (!ids.includes(id)) this.lastGlides.delete(id);
    this.chosen = ids;
    this.send({ type: 'choose', ids });
  }

  /** Who is in which group; null while nobody knows. */
  setGroups(groups: DeviceGroup[] | null): void {
    this.groups = groups;
    this.send({ type: 'groups', groups });
  }

  /** Tells the worker what the map shows. */
  send(message: LiveMessage, transfer: Transferable[] = []): void {
    if (this.broken) return;
    if (!this.port) {
      this.port = this.createPort();
      if (this.port) {
        this.port.onmessage = ({ data }) => this.take(data);
        this.port.onerror = () => this.fail();
      }
    }
    this.port?.postMessage(message, transfer);
  }

  /** The worker could not be loaded, or has failed: whatever it still says, nothing holds together any more. */
  private fail(): void {
    this.port?.terminate();
    this.port = null;
    this.broken = true;
    this.forgetting = 0;
    this.waiting.clear();
    this.user?.onStatus({ state: 'error', problem: 'worker_failed' });
  }

  /** Begins again with another worker, which is told what the screens want to know. */
  private restart(): void {
    this.broken = false;
    this.workers += 1;
    this.clear();
    if (this.user) this.start(this.user);
    this.send({ type: 'watch', ids: [...this.watchers.keys()] });
    this.send({ type: 'list', query: this.query });
    this.send({ type: 'choose', ids: this.chosen });
    this.send({ type: 'groups', groups: this.groups });
  }

  private request<T extends keyof Answers>(
    message: (request: number) => Extract<LiveMessage, { type: T }>,
  ): Promise<Answers[T]> {
    return new Promise<Answers[T]>((resolve) => {
      const request = ++this.requests;
      this.waiting.set(request, resolve);
      this.send(message(request));
    });
  }

  private watchSoon(): void {
    if (this.watchPending) return;
    this.watchPending = true;
    queueMicrotask(() => {
      this.watchPending = false;
      for (const id of this.devices.keys()) if (!this.watchers.has(id)) this.devices.delete(id);
      this.send({ type: 'watch', ids: [...this.watchers.keys()] });
    });
  }

  private take(report: LiveReport): void {
    if (this.forgetting > 0 && OF_THE_FLEET.has(report.type)) return;
    switch (report.type) {
      case 'cleared':
        this.forgetting -= 1;
        return;
      case 'status':
        return this.user?.onStatus(report.status);
      case 'ticket_wanted':
        return void this.giveTicket(report.request);
      case 'counts':
        this.currentCounts = report.counts;
        return this.tellListeners();
      case 'list':
        this.currentList = this.merged(report.list);
        return this.tellListeners();
      case 'devices':
        for (const [id, device] of report.devices) {
          if (!this.watchers.has(id)) continue;
          this.devices.set(id, device);
          for (const changed of this.watchers.get(id) ?? []) changed();
        }
        return;
      case 'glide':
        // One that was on its way when others were chosen is of nobody any more.
        if (!this.chosen.includes(report.glide.id)) return;
        this.lastGlides.set(report.glide.id, report.glide);
        for (const listener of this.glideListeners) listener(report.glide);
        return;
      case 'settled':
        this.isSettled = true;
        for (const listener of [...this.settleListeners]) listener();
        this.settleListeners.clear();
        return this.tellListeners();
      case 'drawn':
        return this.onDrawn?.(report.viewId, report.vehicles, report.bubbles);
      case 'message':
        for (const listener of this.messageListeners.get(String(report.message.type)) ?? []) listener(report.message);
        return;
      case 'answer':
        this.waiting.get(report.request)?.(report.answer as never);
        this.waiting.delete(report.request);
    }
  }

  private tellListeners(): void {
    for (const changed of this.listeners) changed();
  }

  /** A report leaves out what has not changed. */
  private merged({ ids, devices, heads, ...rest }: ListReport): LiveList {
    const known = this.listDevices;
    for (const device of devices) known.set(device.id, device);
    this.listDevices = new Map();
    const all: LiveDevice[] = [];
    for (const [place, id] of ids.entries()) {
      const device = known.get(id);
      if (!device) continue;
      this.listDevices.set(id, device);
      all[place] = device;
    }
    return { ...rest, devices: all, heads: heads && new Map(heads) };
  }

  private async giveTicket(request: number): Promise<void> {
    const { user, firstTicket } = this;
    this.firstTicket = null;
    try {
      if (!user) throw new TicketError('policy');
      const ticket = await (firstTicket ?? user.ticket());
      this.send({ type: 'ticket', request, ticket });
    } catch (error) {
      this.send({ type: 'no_ticket', request, reason: error instanceof TicketError ? error.reason : 'other' });
    }
  }
}

function socketAddress(userId: string | null): string {
  const address = new URL('/ws', window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.searchParams.set('userId', userId ?? '');
  address.searchParams.set('context', 'maps');
  return address.href;
}

/** The live session of this page; the shell opens and ends it. */
export const live = new LiveSession(() => {
  if (typeof Worker === 'undefined') return null;
  return new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module', name: 'live' }) as LivePort;
});
announceLive(live);
