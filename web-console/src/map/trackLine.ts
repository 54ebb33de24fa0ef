/** A line of many points, in colours. */
export interface DrawnTrack {
  /** Places in Mercator's unit square. */
  x: Float64Array;
  y: Float64Array;
  /** Of each point, the place in `palette` of the colour in which the line goes on to the next one; 255 for no line. */
  colour: Uint8Array;
  /** No more than 31. */
  palette: readonly string[];
}

/** No line goes on from a point. */
export const NO_LINE = 255;

/** How wide a line is, pixels. */
export const LINE_WIDTH = 4;
/** Points nearer to each other, in pixels, are drawn as one. */
const STEP = 1.5;

/** Where a canvas lies in the world, in pixels. */
export interface LineView {
  origin: { x: number; y: number };
  size: { x: number; y: number };
  /** Pixels of the whole world. */
  scale: number;
}

/** What draws in one colour. */
export type Pen = Pick<Path2D, 'moveTo' | 'lineTo'>;

/**
 * Draws a line, with a pen for each of its colours; returns of how many pieces. Points that lie within a pixel are one, however
 * often the colour changes there: each colour is seen there once, and the line goes on in the last one.
 */
export function traceLine({ x, y, colour }: DrawnTrack, pens: readonly Pen[], view: LineView): number {
  const { origin, size, scale } = view;
  let pieces = 0;
  // The last point that was drawn, the colour whose pen is there, and those that are seen there, a bit for each.
  let [fromX, fromY] = [NaN, NaN];
  let open = NO_LINE;
  let seen = 0;
  // The colour in which the line goes on.
  let wanted = NO_LINE;
  for (let index = 0; index < x.length; index++) {
    const px = (x[index] ?? 0) * scale - origin.x;
    const py = (y[index] ?? 0) * scale - origin.y;
    const next = colour[index] ?? NO_LINE;
    const near = Math.abs(px - fromX) < STEP && Math.abs(py - fromY) < STEP && index < x.length - 1;
    const pen = pens[wanted];
    if (near && (!pen || next === wanted || seen & (1 << wanted))) {
      wanted = next;
      continue;
    }
    const drawn = pen !== undefined && touches(fromX, fromY, px, py, size);
    if (drawn) {
      if (near || open !== wanted) pen.moveTo(fromX, fromY);
      pen.lineTo(px, py);
      pieces += 1;
    }
    if (near) seen |= 1 << wanted;
    else {
      [fromX, fromY] = [px, py];
      open = drawn ? wanted : NO_LINE;
      seen = drawn ? 1 << wanted : 0;
    }
    wanted = next;
  }
  return pieces;
}

/** Whether the way from one point to another may be seen: they do not both lie beyond the same edge. */
const touches = (ax: number, ay: number, bx: number, by: number, { x, y }: LineView['size']): boolean =>
  Math.max(ax, bx) > -LINE_WIDTH &&
  Math.min(ax, bx) < x + LINE_WIDTH &&
  Math.max(ay, by) > -LINE_WIDTH &&
  Math.min(ay, by) < y + LINE_WIDTH;
