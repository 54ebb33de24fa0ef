import { latOf, lngOf, unitX, unitY } from '@/lib/mercator';
import { LiveConnection, TicketError } from '../connection';
import type { LiveDevice, StateCounts } from '../liveDevice';
import type { Answers, Bounds, BoundsOf, LiveMessage, LiveReport } from '../protocol';
import { VEHICLE_STATES } from '../vehicleState';
import { COLUMNS_PROTOCOL, decodeColumns, type Columns } from './columns';
import { Fleet } from './fleet';
import { longestSilent } from './longestSilent';
import { MapFilter } from './mapFilter';
import { mostOf, type UnitPlace } from './mostOf';
import { nearestVehicles } from './nearestVehicles';
import { Roster } from './roster';
import { SceneLoop } from './sceneLoop';
import { Trails } from './trail';

/** Rows and watched devices are told at most this often. */
const NOTIFY_INTERVAL_MS = 250;
/** Counts are told at most this often. */
const COUNT_INTERVAL_MS = 1_000;
/** A list of some states lets vehicles enter and leave this often. */
const REARRANGE_INTERVAL_MS = 2_000;
/** States age without any message; look this often. */
const AGE_INTERVAL_MS = 5_000;
/** What is looked at is told to the server this long after it changed. */
const VIEW_DELAY_MS = 250;
/** That messages were read is told to the server this long after one was: it takes 100 messages of a client in a second. */
const ACK_DELAY_MS = 20;
/** The part of the view's width and height that is asked for beyond its edges. */
const VIEW_PADDING = 0.1;

interface Waiting {
  resolve: (ticket: string) => void;
  reject: (error: TicketError) => void;
}

/** Everything live that is no page: the socket, what is known of the fleet, its list, and the canvas. */
export class LiveWorker {
  private readonly fleet = new Fleet();
  private readonly roster = new Roster(this.fleet);
  private readonly filter = new MapFilter(this.fleet);
  private readonly trails = new Trails();
  private readonly connection: LiveConnection;
  private scene: SceneLoop | null = null;
  private address = '';
  private sequence = 0;
  private settled = false;
  /** Version and state of each watched device as it was told last. */
  private watched = new Map<string, string>();
  private tickets = new Map<number, Waiting>();
  private requests = 0;
  private notifyTimer: ReturnType<typeof setTimeout> | undefined;
  private viewTimer: ReturnType<typeof setTimeout> | undefined;
  private ackTimer: ReturnType<typeof setTimeout> | undefined;
  private sentView = '';
  private sentCounts = '';
  private countedAt = -Infinity;
  private arrangedAt = 0;

  private readonly report: (report: LiveReport) => void;

  constructor(report: (report: LiveReport) => void) {
    this.report = report;
    this.connection = new LiveConnection({
      ticket: () => this.ticket(),
      open: (ticket) => new WebSocket(`${this.address}&token=${encodeURIComponent(ticket)}`, COLUMNS_PROTOCOL),
      onStatus: (status) => this.report({ type: 'status', status }),
      onOpen: () => {
        this.sequence = 0;
        this.sentView = '';
        this.tellView();
      },
      onColumns: (bytes) => this.take(bytes),
      onMessage: (message) => this.report({ type: 'message', message }),
    });
    setInterval(() => this.tellSoon(), AGE_INTERVAL_MS);
  }

  /** Takes in what the page says. */
  handle(message: LiveMessage): void {
    switch (message.type) {
      case 'start':
        this.address = message.address;
        return this.connection.connect();
      case 'stop':
        return this.connection.disconnect(message.reason);
      case 'reconnect':
        return this.connection.reconnect();
      case 'retry':
        return this.connection.retryNow();
      case 'clear':
        return this.clear();
      case 'ticket':
        return this.answered(message.request)?.resolve(message.ticket);
      case 'no_ticket':
        return this.answered(message.request)?.reject(new TicketError(message.reason));
      case 'watch':
        this.watched = new Map(message.ids.map((id) => [id, this.watched.get(id) ?? '']));
        this.notify();
        return this.viewChanged();
      case 'list':
        this.roster.ask(message.query);
        this.tellList(true);
        this.tellSoon();
        return this.viewChanged();
      case 'choose':
        return this.choose(message.ids);
      case 'groups':
        this.fleet.groups.set(message.groups);
        this.scene?.filterChanged();
        this.sentCounts = '';
        return this.notify();
      case 'hit':
        return this.answer(message.request, this.scene?.hit(message.x, message.y) ?? null);
      case 'bounds':
        return this.answer(message.request, this.bounds(message.of));
      case 'index_of':
        return this.answer(message.request, this.roster.indexOf(message.id));
      case 'ids_between':
        return this.answer(message.request, this.roster.idsBetween(message.one, message.other));
      case 'nearest':
        return this.answer(message.request, nearestVehicles(this.fleet, this.filter, message, Date.now()));
      case 'longest_silent':
        return this.answer(message.request, longestSilent(this.fleet, message.count, Date.now()));
      default:
        this.handleScene(message);
    }
  }

  private handleScene(
    message: Extract<LiveMessage, { type: 'canvas' | 'canvas_gone' | 'view' | 'appearance' | 'filter' }>,
  ): void {
    switch (message.type) {
      case 'canvas':
        this.scene?.stop();
        this.scene = new SceneLoop(message.canvas, this.fleet, this.filter, this.trails, this.report);
        break;
      case 'canvas_gone':
        this.scene?.stop();
        this.scene = null;
        this.viewChanged();
        break;
      case 'view':
        this.scene?.setView(message.view, message.viewId);
        this.viewChanged();
        break;
      case 'appearance':
        this.scene?.setAppearance(message.appearance);
        break;
      case 'filter':
        this.filter.set(message.states, message.search, message.groups);
        this.scene?.filterChanged();
    }
  }

  private ticket(): Promise<string> {
    const request = ++this.requests;
    this.report({ type: 'ticket_wanted', request });
    return new Promise((resolve, reject) => this.tickets.set(request, { resolve, reject }));
  }

  private answered(request: number): Waiting | undefined {
    const waiting = this.tickets.get(request);
    this.tickets.delete(request);
    return waiting;
  }

  private answer(request: number, answer: Answers[keyof Answers]): void {
    this.report({ type: 'answer', request, answer });
  }

  /** False when a message was missed, or this one is none. */
  private take(bytes: Uint8Array): boolean {
    let columns: Columns;
    try {
      columns = decodeColumns(bytes);
    } catch {
      return false;
    }
    const restarts = columns.catalogue?.reset === true;
    if (columns.sequence !== this.sequence + 1 && !restarts) return false;
    this.sequence = columns.sequence;
    this.acknowledgeSoon();
    const wasEmpty = this.fleet.count === 0;
    if (columns.catalogue) this.fleet.list(columns.catalogue);
    if (columns.positions) {
      const chosen = this.fleet.rowsOf(this.filter.chosen);
      this.fleet.move(columns.positions, performance.now(), (row) => {
        if (chosen.has(row)) this.tellGlide(row);
      });
    }
    // The rest of a large catalogue comes right behind the first part, and leaves timers and frames no time for a while.
    const begins = wasEmpty && this.fleet.count > 0;
    if (begins) this.scene?.drawNow();
    else this.scene?.changed();
    const settles = !this.settled && this.fleet.complete && !columns.more;
    if (settles) {
      this.settled = true;
      this.roster.arrangeAgain();
    }
    if (begins || settles) this.notify();
    else this.tellSoon();
    if (settles) this.report({ type: 'settled' });
    return true;
  }

  /** The server sends more when it knows that this much was read; what it has not sent yet is newer then. */
  private acknowledgeSoon(): void {
    this.ackTimer ??= setTimeout(() => {
      this.ackTimer = undefined;
      this.connection.send({ type: 'ack', payload: { sequence: this.sequence } });
    }, ACK_DELAY_MS);
  }

  private clear(): void {
    this.fleet.clear();
    this.roster.clear();
    this.trails.clear();
    this.settled = false;
    this.sentCounts = '';
    for (const id of this.watched.keys()) this.watched.set(id, '');
    this.scene?.changed();
    this.report({ type: 'cleared' });
    this.notify();
  }

  private choose(ids: string[]): void {
    const before = this.filter.chosen;
    this.filter.chosen = ids;
    this.trails.keep(ids);
    this.scene?.filterChanged();
    for (const row of this.fleet.rowsOf(ids.filter((id) => !before.includes(id)))) {
      if (this.fleet.isLocated(row)) this.tellGlide(row);
    }
    this.viewChanged();
  }

  private tellGlide(row: number): void {
    const glide = this.fleet.glides.glide(row);
    const id = this.fleet.ids[row] ?? '';
    this.trails.add(id, glide.toX, glide.toY);
    const start = performance.timeOrigin + glide.start;
    this.report({ type: 'glide', glide: { ...glide, id, start } });
  }

  private tellSoon(): void {
    this.notifyTimer ??= setTimeout(() => this.notify(), NOTIFY_INTERVAL_MS);
  }

  private notify(): void {
    clearTimeout(this.notifyTimer);
    this.notifyTimer = undefined;
    this.tellWatched();
    this.tellList(false);
    this.tellCounts();
  }

  private tellWatched(): void {
    const clock = Date.now();
    const devices: [string, LiveDevice | null][] = [];
    for (const [id, sentVersion] of this.watched) {
      const row = this.fleet.row(id);
      const version =
        row === undefined ? 'gone' : `${row} ${this.fleet.version[row]} ${this.fleet.stateCode(row, clock)}`;
      if (version === sentVersion || (row === undefined && sentVersion === '' && !this.fleet.complete)) continue;
      this.watched.set(id, version);
      devices.push([id, row === undefined ? null : this.fleet.device(row, clock)]);
    }
    if (devices.length > 0) this.report({ type: 'devices', devices });
  }

  private tellList(asked: boolean): void {
    const now = performance.now();
    const again = this.roster.followsStates && now - this.arrangedAt >= REARRANGE_INTERVAL_MS;
    if (again) this.arrangedAt = now;
    this.roster.arrange(Date.now(), again);
    const list = this.roster.report(Date.now(), asked);
    if (!list) return;
    this.report({ type: 'list', list });
    this.viewChanged();
  }

  private tellCounts(): void {
    const now = performance.now();
    if (now - this.countedAt < COUNT_INTERVAL_MS && this.settled && this.sentCounts !== '') return this.tellSoon();
    const counted = new Array<number>(VEHICLE_STATES.length).fill(0);
    const clock = Date.now();
    const { groups } = this.roster;
    // What a group is narrowed to is counted within it.
    const isWithin = groups && this.fleet.groups.within(groups);
    for (let row = 0; row < this.fleet.size; row++) {
      if (!this.fleet.isShown(row) || isWithin?.(row) === false) continue;
      const code = this.fleet.stateCode(row, clock);
      counted[code] = (counted[code] ?? 0) + 1;
    }
    this.countedAt = now;
    if (counted.join() === this.sentCounts) return;
    this.sentCounts = counted.join();
    const counts = Object.fromEntries(VEHICLE_STATES.map((state, code) => [state, counted[code] ?? 0])) as StateCounts;
    this.report({ type: 'counts', counts });
  }

  /** The smallest part of the world with these vehicles, or with those on the map; null when there are none. */
  private bounds(of: BoundsOf): Bounds | null {
    const { fleet } = this;
    const wanted = Array.isArray(of) ? fleet.rowsOf(of) : null;
    const places: UnitPlace[] = [];
    this.filter.forEach(Date.now(), (row) => {
      if (wanted?.has(row) === false) return;
      places.push({ x: fleet.glides.targetX(row), y: fleet.glides.targetY(row) });
    });
    if (places.length === 0) return null;
    const bounds = { west: Infinity, south: -Infinity, east: -Infinity, north: Infinity };
    for (const { x, y } of of === 'most' ? mostOf(places) : places) {
      bounds.west = Math.min(bounds.west, x);
      bounds.east = Math.max(bounds.east, x);
      bounds.north = Math.min(bounds.north, y);
      bounds.south = Math.max(bounds.south, y);
    }
    const { west, south, east, north } = bounds;
    return { west: lngOf(west), south: latOf(south), east: lngOf(east), north: latOf(north) };
  }

  private viewChanged(): void {
    this.viewTimer ??= setTimeout(() => this.tellView(), VIEW_DELAY_MS);
  }

  /** Tells the server what is looked at; what is not comes less often. */
  private tellView(): void {
    clearTimeout(this.viewTimer);
    this.viewTimer = undefined;
    const shown = new Set([...this.watched.keys(), ...this.roster.ids(), ...this.filter.chosen]);
    const bounds = this.scene?.bounds();
    const payload = { box: bounds ? padded(bounds) : [], device_ids: [...shown].sort() };
    const view = JSON.stringify(payload);
    if (view === this.sentView) return;
    if (this.connection.send({ type: 'view', payload })) this.sentView = view;
  }
}

/** West, south, east, north, a little beyond the edges. */
function padded({ west, south, east, north }: Bounds): number[] {
  const padX = (unitX(east) - unitX(west)) * VIEW_PADDING;
  const padY = (unitY(south) - unitY(north)) * VIEW_PADDING;
  return [
    Math.max(-180, lngOf(unitX(west) - padX)),
    latOf(Math.min(1, unitY(south) + padY)),
    Math.min(180, lngOf(unitX(east) + padX)),
    latOf(Math.max(0, unitY(north) - padY)),
  ].map((degrees) => Math.round(degrees * 1e4) / 1e4);
}
