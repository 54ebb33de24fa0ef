/**
 * Rows by a number of each, the least first; equal ones stay in their order. Numbers alone are sorted without a call for each
 * comparison; each row is then put where its number has come to stand.
 */
export function sortedBy(rows: readonly number[], numberOf: (row: number) => number): number[] {
  const numbers = Float64Array.from(rows, numberOf);
  const ascending = numbers.slice().sort();
  /** Of each first place of a number, how many rows with it are placed. */
  const placed = new Uint32Array(rows.length);
  const sorted = new Array<number>(rows.length).fill(0);
  rows.forEach((row, place) => {
    const first = firstPlaceOf(ascending, numbers[place] ?? 0);
    const before = placed[first] ?? 0;
    sorted[first + before] = row;
    placed[first] = before + 1;
  });
  return sorted;
}

function firstPlaceOf(ascending: Float64Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
