/** A rectangle. */
export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/**
 * Cuts a ring to a box (Sutherland–Hodgman). Canvas coordinates are 32-bit inside, so a coast that runs around the world
 * must not be handed over whole at street level.
 */
export function clipRing(points: ArrayLike<number>, box: Box): number[] {
  let ring = Array.from(points);
  ring = clipSide(ring, 0, box.minX, 1);
  ring = clipSide(ring, 0, box.maxX, -1);
  ring = clipSide(ring, 1, box.minY, 1);
  return clipSide(ring, 1, box.maxY, -1);
}

/** Keeps what lies on the inner side of one edge: `sign` 1 keeps larger values, -1 smaller ones. */
function clipSide(ring: number[], axis: 0 | 1, edge: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  const count = ring.length / 2;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const ax = ring[2 * i] ?? 0;
    const ay = ring[2 * i + 1] ?? 0;
    const bx = ring[2 * j] ?? 0;
    const by = ring[2 * j + 1] ?? 0;
    const a = axis === 0 ? ax : ay;
    const b = axis === 0 ? bx : by;
    const aInside = (a - edge) * sign >= 0;
    const bInside = (b - edge) * sign >= 0;
    if (aInside) out.push(ax, ay);
    if (aInside !== bInside) {
      const part = (edge - a) / (b - a);
      out.push(ax + (bx - ax) * part, ay + (by - ay) * part);
    }
  }
  return out;
}

/** Whether two boxes have anything in common. */
export function overlaps(a: Box, b: Box): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}
