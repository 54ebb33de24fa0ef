/** How long a vehicle takes to glide to a new fix, whatever its reporting interval. */
export const MAX_GLIDE_MS = 10_000;
const MIN_GLIDE_MS = 200;
/** Farther than this a vehicle is put there at once: it did not drive that way on the screen. */
export const SNAP_METRES = 500;

/** How long to glide between two fixes this far apart in time. */
export function glideDuration(previousAt: number, nextAt: number): number {
  return Math.min(MAX_GLIDE_MS, Math.max(MIN_GLIDE_MS, nextAt - previousAt));
}

/** Part of the way done, 0 to 1: nothing is extrapolated past the newest fix. */
export function progress(start: number, duration: number, now: number): number {
  if (duration <= 0) return 1;
  return Math.min(1, Math.max(0, (now - start) / duration));
}

/** The heading between two, around the shorter side, 0 to 360. */
export function headingBetween(from: number, to: number, part: number): number {
  const turn = ((((to - from) % 360) + 540) % 360) - 180;
  return (from + turn * part + 360) % 360;
}

/** Degrees clockwise from north from one point of the unit square to another. */
export function bearing(ax: number, ay: number, bx: number, by: number): number {
  return ((Math.atan2(bx - ax, ay - by) * 180) / Math.PI + 360) % 360;
}
