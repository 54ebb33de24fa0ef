/** Places nearer to each other than one or two of these belong together: about 200 km, in the unit square of Mercator. */
const CELL = 1 / 200;
/** So large a part of all has to be together, for the others to be left out. */
const MOST = 2 / 3;

/** A place in the unit square of Mercator. */
export interface UnitPlace {
  x: number;
  y: number;
}

/** Those of some places that lie together, where they are most of all; all, where they lie about. */
export function mostOf(places: readonly UnitPlace[]): readonly UnitPlace[] {
  const cells = new Map<string, UnitPlace[]>();
  for (const place of places) {
    const key = keyOf(Math.floor(place.x / CELL), Math.floor(place.y / CELL));
    const cell = cells.get(key);
    if (cell) cell.push(place);
    else cells.set(key, [place]);
  }
  for (const key of [...cells.keys()]) {
    const together = takeTogether(cells, key);
    if (together.length >= MOST * places.length) return together;
  }
  return places;
}

const keyOf = (column: number, row: number) => `${column} ${row}`;

/** Takes a cell and all that lie side by side with it out of the others. */
function takeTogether(cells: Map<string, UnitPlace[]>, from: string): UnitPlace[] {
  const together: UnitPlace[] = [];
  const next = [from];
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    const places = cells.get(key);
    if (!places) continue;
    cells.delete(key);
    for (const place of places) together.push(place);
    const [column = 0, row = 0] = key.split(' ').map(Number);
    for (let x = column - 1; x <= column + 1; x++) for (let y = row - 1; y <= row + 1; y++) next.push(keyOf(x, y));
  }
  return together;
}
