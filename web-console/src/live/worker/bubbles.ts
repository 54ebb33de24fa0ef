import type { Drawn, Frame } from './draw';

/** Edge of the cell that a bubble stands for, in CSS pixels. */
export const CELL = 72;

/** A number of vehicles in one place. */
export interface Bubble {
  x: number;
  y: number;
  radius: number;
  count: number;
  /** Where its vehicles are on the canvas. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Counts the vehicles of a frame in cells that are anchored to the world, so that bubbles stay while the map is dragged. */
export function bubblesOf(drawn: Drawn, originX: number, originY: number): Bubble[] {
  const cells = new Map<string, Bubble>();
  for (let place = 0; place < drawn.count; place++) {
    const x = drawn.x[place] ?? 0;
    const y = drawn.y[place] ?? 0;
    const key = `${Math.floor((x + originX) / CELL)} ${Math.floor((y + originY) / CELL)}`;
    const cell = cells.get(key);
    if (!cell) {
      cells.set(key, { x, y, radius: 0, count: 1, left: x, top: y, right: x, bottom: y });
      continue;
    }
    cell.count += 1;
    cell.x += x;
    cell.y += y;
    cell.left = Math.min(cell.left, x);
    cell.top = Math.min(cell.top, y);
    cell.right = Math.max(cell.right, x);
    cell.bottom = Math.max(cell.bottom, y);
  }
  const bubbles = [...cells.values()];
  for (const bubble of bubbles) {
    bubble.radius = 12 + Math.min(16, 1.6 * Math.log2(bubble.count));
    bubble.x = within(bubble.x / bubble.count, originX, bubble.radius);
    bubble.y = within(bubble.y / bubble.count, originY, bubble.radius);
  }
  return bubbles;
}

/** The middle of a cell's vehicles, moved so that the bubble stays in its cell: two never cover each other. */
function within(middle: number, origin: number, radius: number): number {
  const start = Math.floor((middle + origin) / CELL) * CELL - origin;
  return Math.min(start + CELL - radius - 1, Math.max(start + radius + 1, middle));
}

/** Draws vehicles as bubbles with their number. */
export function drawBubbles({ context, view, appearance }: Frame, drawn: Drawn): Bubble[] {
  const bubbles = bubblesOf(drawn, view.originX, view.originY);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 2;
  context.strokeStyle = appearance.outline;
  context.font = `600 12px ${appearance.fontFamily}`;
  for (const { count, x, y, radius } of bubbles) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = appearance.cluster;
    context.fill();
    context.stroke();
    context.fillStyle = appearance.clusterText;
    context.fillText(shortCount(count), x, y + 0.5);
  }
  return bubbles;
}

/** A count that fits into a bubble. */
export function shortCount(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** The bubble at a point. */
export function bubbleAt(bubbles: Bubble[], x: number, y: number): Bubble | undefined {
  return bubbles.find((bubble) => Math.hypot(bubble.x - x, bubble.y - y) <= bubble.radius + 2);
}
