import type { MapColors } from '@/theme/tokens';
import { overlaps, type Box } from './clip';
import { traceClipped, type TileFrame } from './frame';
import { LABEL_REACH } from './labels';
import type { Road, RoadClass } from './roads';

/** From here on roads are seen, and their names. */
export const ROADS_FROM = 8;
const NAMES_FROM = 13;
const WIDTHS: Record<RoadClass, number> = { street: 2, main: 3, toll: 4 };
const CASING = 2;
/** Pixels from one name of a road to the next; a road that is shorter than a part of that has none. */
const NAMES_EVERY = 420;
const FONT = "500 11px 'Inter Variable', system-ui, sans-serif";

/** Draws the roads of a tile: first what they stand out by, so that no casing crosses a road. */
export function paintRoads(
  context: CanvasRenderingContext2D,
  roads: readonly Road[],
  { box, frame, colors }: { box: Box; frame: TileFrame; colors: MapColors },
): void {
  const near = roads.filter(({ path }) => overlaps(path, box));
  context.lineCap = 'round';
  for (const [color, more] of [
    [colors.roadCasing, CASING],
    [colors.road, 0],
  ] as const) {
    context.strokeStyle = color;
    for (const { of, path } of near) {
      context.lineWidth = WIDTHS[of] + more;
      context.beginPath();
      traceClipped(context, path, box, frame);
      context.stroke();
    }
  }
  context.lineCap = 'butt';
  if (frame.zoom < NAMES_FROM) return;
  // The name of a road reaches beyond it, and so into the tile beside that.
  const reach = LABEL_REACH / frame.scale;
  const around = { minX: box.minX - reach, minY: box.minY, maxX: box.maxX + reach, maxY: box.maxY };
  for (const road of roads) if (overlaps(road.path, around)) paintNames(context, road, frame, colors);
}

function paintNames(
  context: CanvasRenderingContext2D,
  { name, path }: Road,
  frame: TileFrame,
  colors: MapColors,
): void {
  const { points } = path;
  const lengths = [0];
  for (let at = 2; at < points.length; at += 2) {
    const step = Math.hypot((points[at] ?? 0) - (points[at - 2] ?? 0), (points[at + 1] ?? 0) - (points[at - 1] ?? 0));
    lengths.push((lengths.at(-1) ?? 0) + step * frame.scale);
  }
  const length = lengths.at(-1) ?? 0;
  const names = Math.floor(length / NAMES_EVERY + 0.6);
  context.font = FONT;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = colors.labelHalo;
  context.fillStyle = colors.label;
  for (let number = 0; number < names; number++) {
    const place = lengths.findIndex((along) => along >= ((number + 0.5) / names) * length);
    const x = (points[2 * place] ?? 0) * frame.scale - frame.left;
    const y = (points[2 * place + 1] ?? 0) * frame.scale - frame.top;
    // What begins in the tile beside this one reaches into it.
    if (Math.abs(x - frame.size / 2) > frame.size / 2 + LABEL_REACH || y < -12 || y > frame.size + 12) continue;
    context.strokeText(name, x, y);
    context.fillText(name, x, y);
  }
  context.textAlign = 'start';
}
