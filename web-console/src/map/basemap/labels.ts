import { unitX, unitY, worldPixels } from '@/lib/mercator';

/** A name of a place, where it goes at one zoom. */
export interface PlacedLabel {
  name: string;
  /** World pixels. */
  x: number;
  y: number;
  large: boolean;
}

/** A place that a map may name; of a lower rank are those that matter more. */
export type Place = [name: string, lat: number, lng: number, rank: number];

const WIDTH_PER_LETTER = 7;
const HEIGHT = 16;
const cache = new Map<number, PlacedLabel[]>();

/**
 * The names that fit at a zoom, more important places first. It is decided for the whole world at once, so that the tiles
 * of a map agree. The places are always the same.
 */
export function labelsAt(places: readonly Place[], zoom: number): PlacedLabel[] {
  let labels = cache.get(zoom);
  if (!labels) {
    labels = placeLabels(places, zoom);
    cache.set(zoom, labels);
  }
  return labels;
}

function placeLabels(places: readonly Place[], zoom: number): PlacedLabel[] {
  const scale = worldPixels(zoom);
  const labels: PlacedLabel[] = [];
  const taken: { left: number; right: number; top: number; bottom: number }[] = [];
  for (const [name, lat, lng, rank] of places) {
    if (rank > zoom - 2) continue;
    const x = unitX(lng) * scale;
    const y = unitY(lat) * scale;
    const box = { left: x - 6, right: x + 10 + name.length * WIDTH_PER_LETTER, top: y - HEIGHT, bottom: y + HEIGHT };
    const covered = taken.some(
      (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
    );
    if (covered) continue;
    taken.push(box);
    labels.push({ name, x, y, large: rank <= 1 });
  }
  return labels;
}

/** How far to the right of its place a name can reach. */
export const LABEL_REACH = 180;
