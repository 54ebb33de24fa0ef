import type { Appearance } from '../protocol';
import type { Context, Drawn, Frame } from './draw';
import { SPRITE_SIZE } from './sprites';

/** Above and below a name. */
const SPACE = 3;
/** Half the edge of what a name must not cover. */
const MARK = 9;
/** A chosen vehicle has a ring around it. */
const RING = 7;
const GRID = 64;
/** More names than these make a frame slow and a map unreadable. */
const NAMES_MAX = 400;

/** Boxes that are taken, found by the squares of a grid that they touch. */
class OccupiedCells {
  private readonly squares = new Map<number, number[]>();

  /** Whether a box touches none that is taken. */
  isFree(left: number, top: number, right: number, bottom: number): boolean {
    for (const key of cellsOf(left, top, right, bottom)) {
      const boxes = this.squares.get(key);
      for (let at = 0; boxes && at < boxes.length; at += 4) {
        const apart =
          left >= (boxes[at + 2] ?? 0) ||
          right <= (boxes[at] ?? 0) ||
          top >= (boxes[at + 3] ?? 0) ||
          bottom <= (boxes[at + 1] ?? 0);
        if (!apart) return false;
      }
    }
    return true;
  }

  /** Takes a box. */
  take(left: number, top: number, right: number, bottom: number): void {
    for (const key of cellsOf(left, top, right, bottom)) {
      const boxes = this.squares.get(key);
      if (boxes) boxes.push(left, top, right, bottom);
      else this.squares.set(key, [left, top, right, bottom]);
    }
  }
}

function cellsOf(left: number, top: number, right: number, bottom: number): number[] {
  const keys: number[] = [];
  for (let row = Math.floor(top / GRID); row <= Math.floor(bottom / GRID); row++) {
    for (let column = Math.floor(left / GRID); column <= Math.floor(right / GRID); column++) {
      keys.push(row * 1_024 + column);
    }
  }
  return keys;
}

/** Writes names below vehicles where they cover neither a vehicle nor another name; those of chosen ones come first. */
export function drawLabels({ context, fleet, appearance, chosen }: Frame, drawn: Drawn): void {
  context.font = `600 ${appearance.nameSize}px ${appearance.fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const height = appearance.nameSize + SPACE;
  const taken = new OccupiedCells();
  for (const { x, y, radius } of drawn.bubbles) taken.take(x - radius, y - radius, x + radius, y + radius);
  const places: number[] = [];
  const chosenRows = fleet.rowsOf(chosen);
  const isChosen = (place: number) => chosenRows.has(drawn.rows[place] ?? -1);
  for (let place = 0; place < drawn.count; place++) {
    const x = drawn.x[place] ?? 0;
    const y = drawn.y[place] ?? 0;
    taken.take(x - MARK, y - MARK, x + MARK, y + MARK);
    if (isChosen(place)) places.unshift(place);
    else if (appearance.names) places.push(place);
  }
  let written = 0;
  for (const place of places) {
    const name = fleet.names[drawn.rows[place] ?? -1];
    if (!name) continue;
    const x = drawn.x[place] ?? 0;
    const below = isChosen(place) ? RING : 0;
    const top = (drawn.y[place] ?? 0) + SPRITE_SIZE / 2 - 2 + below;
    const half = context.measureText(name).width / 2 + 2;
    if (!taken.isFree(x - half, top, x + half, top + height)) continue;
    taken.take(x - half, top, x + half, top + height);
    drawName(context, appearance, name, x, top, half);
    if (++written >= NAMES_MAX) return;
  }
}

/** On a ground of its own: a name of the map below would run into it. */
function drawName(context: Context, appearance: Appearance, name: string, x: number, top: number, half: number): void {
  context.globalAlpha = 0.8;
  context.fillStyle = appearance.labelHalo;
  context.beginPath();
  context.roundRect(x - half - 1, top - 2, 2 * half + 2, appearance.nameSize + SPACE + 1, 4);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = appearance.label;
  context.fillText(name, x, top);
}
