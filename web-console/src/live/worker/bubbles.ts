import { STATE_CODES } from '../vehicleState';
import type { Drawn, Frame } from './draw';

/** Edge of the cell that a bubble stands for, in CSS pixels. */
export const CELL = 72;
/** Cells in a row of the world, more than there are at any zoom. */
const CELLS_ACROSS = 2 ** 22;

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

/**
 * Takes the vehicles of every cell with more than `most` out of a frame and puts bubbles in their place. Cells are
 * anchored to the world, so that bubbles stay while the map is dragged. Chosen vehicles are drawn in any case.
 */
export function gather(
  { view, fleet, chosen }: Pick<Frame, 'view' | 'fleet' | 'chosen'>,
  drawn: Drawn,
  most: number,
): void {
  const { originX, originY } = view;
  const chosenRows = fleet.rowsOf(chosen);
  const isChosen = (place: number) => chosenRows.has(drawn.rows[place] ?? -1);
  const keyOf = (place: number) =>
    Math.floor(((drawn.y[place] ?? 0) + originY) / CELL) * CELLS_ACROSS +
    Math.floor(((drawn.x[place] ?? 0) + originX) / CELL);
  const cells = new Map<number, Bubble>();
  for (let place = 0; place < drawn.count; place++) {
    if (!isChosen(place)) add(cells, keyOf(place), drawn, place);
  }
  for (const [key, bubble] of cells) {
    if (bubble.count <= most) cells.delete(key);
  }
  if (cells.size === 0) return;
  keep(drawn, (place) => isChosen(place) || !cells.has(keyOf(place)));
  drawn.bubbles = [...cells.values()];
  for (const bubble of drawn.bubbles) {
    bubble.radius = 12 + Math.min(16, 1.6 * Math.log2(bubble.count));
    bubble.x = within(bubble.x / bubble.count, originX, bubble.radius);
    bubble.y = within(bubble.y / bubble.count, originY, bubble.radius);
  }
}

/** Counts a vehicle in its cell; `x` and `y` are sums until all are counted. */
function add(cells: Map<number, Bubble>, key: number, drawn: Drawn, place: number): void {
  const x = drawn.x[place] ?? 0;
  const y = drawn.y[place] ?? 0;
  let cell = cells.get(key);
  if (!cell) {
    cell = { x: 0, y: 0, radius: 0, count: 0, alarm: false, left: x, top: y, right: x, bottom: y };
    cells.set(key, cell);
  }
  cell.count += 1;
  cell.x += x;
  cell.y += y;
  cell.alarm ||= drawn.state[place] === STATE_CODES.alarm;
  cell.left = Math.min(cell.left, x);
  cell.top = Math.min(cell.top, y);
  cell.right = Math.max(cell.right, x);
  cell.bottom = Math.max(cell.bottom, y);
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
