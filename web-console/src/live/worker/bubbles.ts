import type { SceneView } from '../protocol';
import { STATE_CODES, VEHICLE_STATES } from '../vehicleState';
import type { Context, Drawn, Frame } from './draw';
import { PULSE_FRAME_MS, PULSE_MS } from './pulse';
import { SPRITE_SIZE } from './sprites';

/** Edge of the cell that a bubble stands for, in CSS pixels. */
export const CELL = 72;

/** A number of vehicles in one place. */
export interface Bubble {
  x: number;
  y: number;
  radius: number;
  count: number;
  /** How many of them are in each state, by its place in `VEHICLE_STATES`. */
  states: number[];
  /** Where its vehicles are on the canvas. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Vehicles counted by the cells of a canvas. Cells are anchored to the world, so that bubbles stay while the map is dragged. */
export class Cells {
  private readonly originX: number;
  private readonly originY: number;
  /** The first cell that has something of the canvas or its edge, and how many lie beside each other. */
  private readonly firstX: number;
  private readonly firstY: number;
  private readonly across: number;
  /** Their `x` and `y` are sums until all are counted. */
  private readonly cells: (Bubble | undefined)[] = [];

  constructor({ originX, originY, width }: SceneView) {
    this.originX = originX;
    this.originY = originY;
    this.firstX = Math.floor((originX - SPRITE_SIZE) / CELL);
    this.firstY = Math.floor((originY - SPRITE_SIZE) / CELL);
    this.across = Math.floor((originX + width + SPRITE_SIZE) / CELL) - this.firstX + 1;
  }

  /** Counts a vehicle that lies in view. */
  add(x: number, y: number, state: number): void {
    const cell = (this.cells[this.indexOf(x, y)] ??= {
      x: 0,
      y: 0,
      radius: 0,
      count: 0,
      states: VEHICLE_STATES.map(() => 0),
      left: x,
      top: y,
      right: x,
      bottom: y,
    });
    cell.count += 1;
    cell.x += x;
    cell.y += y;
    cell.states[state] = (cell.states[state] ?? 0) + 1;
    if (x < cell.left) cell.left = x;
    if (x > cell.right) cell.right = x;
    if (y < cell.top) cell.top = y;
    if (y > cell.bottom) cell.bottom = y;
  }

  /** How many are counted where a vehicle lies. */
  countAt(x: number, y: number): number {
    return this.cells[this.indexOf(x, y)]?.count ?? 0;
  }

  /** A bubble for each cell with more than `most`. Nothing may be counted afterwards. */
  bubbles(most: number): Bubble[] {
    const bubbles = this.cells.filter((cell) => cell !== undefined && cell.count > most) as Bubble[];
    for (const bubble of bubbles) {
      bubble.radius = 12 + Math.min(16, 1.6 * Math.log2(bubble.count));
      bubble.x = within(bubble.x / bubble.count, this.originX, bubble.radius);
      bubble.y = within(bubble.y / bubble.count, this.originY, bubble.radius);
    }
    return bubbles;
  }

  private indexOf(x: number, y: number): number {
    const cellX = Math.floor((x + this.originX) / CELL) - this.firstX;
    return (Math.floor((y + this.originY) / CELL) - this.firstY) * this.across + cellX;
  }
}

/**
 * Takes the vehicles of every cell with more than `most` out of a frame and puts bubbles in their place. Chosen vehicles are
 * drawn in any case.
 */
export function gather(
  { view, fleet, chosen }: Pick<Frame, 'view' | 'fleet' | 'chosen'>,
  drawn: Drawn,
  most: number,
): void {
  const chosenRows = fleet.rowsOf(chosen);
  const isChosen = (place: number) => chosenRows.has(drawn.rows[place] ?? -1);
  const cells = new Cells(view);
  for (let place = 0; place < drawn.count; place++) {
    if (isChosen(place)) continue;
    cells.add(drawn.x[place] ?? 0, drawn.y[place] ?? 0, drawn.state[place] ?? 0);
  }
  drawn.bubbles = cells.bubbles(most);
  if (drawn.bubbles.length === 0) return;
  keep(drawn, (place) => isChosen(place) || cells.countAt(drawn.x[place] ?? 0, drawn.y[place] ?? 0) <= most);
}

/** Moves what is kept to the front. */
function keep(drawn: Drawn, kept: (place: number) => boolean): void {
  const { rows, x, y, heading, state } = drawn;
  let count = 0;
  for (let place = 0; place < drawn.count; place++) {
    if (!kept(place)) continue;
    rows[count] = rows[place] ?? 0;
    x[count] = x[place] ?? 0;
    y[count] = y[place] ?? 0;
    heading[count] = heading[place] ?? 0;
    state[count] = state[place] ?? 0;
    count += 1;
  }
  drawn.count = count;
}

/** The middle of a cell's vehicles, moved so that the bubble stays in its cell: two never cover each other. */
function within(middle: number, origin: number, radius: number): number {
  const start = Math.floor((middle + origin) / CELL) * CELL - origin;
  return Math.min(start + CELL - radius - 1, Math.max(start + radius + 1, middle));
}

/** How wide the ring of a bubble is, and how much wider that of one with an alarm. */
const RING = 5;
const ALARM_RING = 2;
/** Of the ring, an alarm takes this much at least: one among thousands is seen. */
const LEAST_ALARM = 1 / 12;

/** Draws bubbles with their number, each in a ring that says how many of its vehicles are in which state. */
export function drawBubbles(frame: Pick<Frame, 'context' | 'appearance' | 'now'>, drawn: Drawn): void {
  const { context, appearance } = frame;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 12px ${appearance.fontFamily}`;
  for (const bubble of drawn.bubbles) {
    const { x, y, radius } = bubble;
    disc(context, x, y, radius + 1.5, appearance.outline);
    drawRing(frame, drawn, bubble);
    disc(context, x, y, radius - RING, appearance.outline);
    context.fillStyle = appearance.label;
    context.fillText(shortCount(bubble.count), x, y + 0.5);
  }
}

function disc(context: Context, x: number, y: number, radius: number, color: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** The shares of a bubble's states as arcs from the top on, alarms first; theirs pulses, unless all is a crowd that is counted. */
function drawRing(
  { context, appearance, now }: Pick<Frame, 'context' | 'appearance' | 'now'>,
  drawn: Drawn,
  of: Bubble,
) {
  const { x, y, radius } = of;
  let angle = -Math.PI / 2;
  for (const [state, share] of sharesOf(of)) {
    const isAlarm = state === STATE_CODES.alarm;
    const end = angle + share * 2 * Math.PI;
    const width = isAlarm ? RING + ALARM_RING : RING;
    const outer = isAlarm ? radius + ALARM_RING : radius;
    context.beginPath();
    context.arc(x, y, outer - width / 2, angle, end);
    context.lineWidth = width;
    context.strokeStyle = appearance.states[VEHICLE_STATES[state] ?? 'no_data'];
    context.stroke();
    if (isAlarm && !appearance.reducedMotion && !drawn.isCrowd) {
      const part = (now % PULSE_MS) / PULSE_MS;
      context.beginPath();
      context.arc(x, y, outer + 7 * part, angle, end);
      context.globalAlpha = 0.5 * (1 - part);
      context.lineWidth = 3;
      context.stroke();
      context.globalAlpha = 1;
      drawn.next = Math.min(drawn.next, PULSE_FRAME_MS);
    }
    angle = end;
  }
}

/** Which part of a bubble's vehicles is in which state, of those that some are in; alarms first. */
export function sharesOf({ states, count }: Pick<Bubble, 'states' | 'count'>): [state: number, share: number][] {
  const alarms = states[STATE_CODES.alarm] ?? 0;
  const alarmShare = alarms === 0 ? 0 : Math.max(LEAST_ALARM, alarms / count);
  const others = count - alarms;
  return RING_ORDER.filter((state) => (states[state] ?? 0) > 0).map((state) => [
    state,
    state === STATE_CODES.alarm ? alarmShare : ((states[state] ?? 0) / others) * (1 - alarmShare),
  ]);
}

const RING_ORDER = ['alarm' as const, ...VEHICLE_STATES.filter((state) => state !== 'alarm')].map(
  (state) => STATE_CODES[state],
);

/** A count that fits into a bubble. */
export function shortCount(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** The bubble at a point. */
export function bubbleAt(bubbles: Bubble[], x: number, y: number): Bubble | undefined {
  return bubbles.find((bubble) => Math.hypot(bubble.x - x, bubble.y - y) <= bubble.radius + 2);
}
