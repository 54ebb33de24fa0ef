import type { SceneView } from '../protocol';
import { STATE_CODES } from '../vehicleState';
import type { Drawn, Frame } from './draw';
import { SPRITE_SIZE } from './sprites';

/** Edge of the cell that a bubble stands for, in CSS pixels. */
export const CELL = 72;

/** A number of vehicles in one place. */
export interface Bubble {
  x: number;
  y: number;
  radius: number;
  count: number;
  /** Whether one of them raises an alarm. */
  alarm: boolean;
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
  add(x: number, y: number, isAlarm: boolean): void {
    const cell = (this.cells[this.indexOf(x, y)] ??= {
      x: 0,
      y: 0,
      radius: 0,
      count: 0,
      alarm: false,
      left: x,
      top: y,
      right: x,
      bottom: y,
    });
    cell.count += 1;
    cell.x += x;
    cell.y += y;
    cell.alarm ||= isAlarm;
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
    cells.add(drawn.x[place] ?? 0, drawn.y[place] ?? 0, drawn.state[place] === STATE_CODES.alarm);
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

/** Draws bubbles with their number; an alarm among their vehicles shows as a ring. */
export function drawBubbles({ context, appearance }: Pick<Frame, 'context' | 'appearance'>, bubbles: Bubble[]): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 12px ${appearance.fontFamily}`;
  for (const { count, alarm, x, y, radius } of bubbles) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = appearance.cluster;
    context.fill();
    context.lineWidth = alarm ? 4 : 2;
    context.strokeStyle = alarm ? appearance.states.alarm : appearance.outline;
    context.stroke();
    context.fillStyle = appearance.clusterText;
    context.fillText(shortCount(count), x, y + 0.5);
  }
}

/** A count that fits into a bubble. */
export function shortCount(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** The bubble at a point. */
export function bubbleAt(bubbles: Bubble[], x: number, y: number): Bubble | undefined {
  return bubbles.find((bubble) => Math.hypot(bubble.x - x, bubble.y - y) <= bubble.radius + 2);
}
