import { overlaps, type Box } from './clip';
import type { Path } from './geometry';

/** Where a tile lies, in world pixels. */
export interface TileFrame {
  left: number;
  top: number;
  size: number;
  scale: number;
  zoom: number;
}

/** A line is cut by leaving out the segments that do not touch the tile. */
export function traceClipped(context: CanvasRenderingContext2D, path: Path, box: Box, frame: TileFrame): void {
  const { points } = path;
  let down = false;
  for (let i = 2; i < points.length; i += 2) {
    const ax = points[i - 2] ?? 0;
    const ay = points[i - 1] ?? 0;
    const bx = points[i] ?? 0;
    const by = points[i + 1] ?? 0;
    const segment = {
      minX: Math.min(ax, bx),
      maxX: Math.max(ax, bx),
      minY: Math.min(ay, by),
      maxY: Math.max(ay, by),
    };
    if (!overlaps(segment, box)) {
      down = false;
      continue;
    }
    if (!down) context.moveTo(ax * frame.scale - frame.left, ay * frame.scale - frame.top);
    context.lineTo(bx * frame.scale - frame.left, by * frame.scale - frame.top);
    down = true;
  }
}
