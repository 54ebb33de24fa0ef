/** Points that a calibration table may have, at most. */
export const POINTS_MAX = 100;
const LITRES_MAX = 100_000;

const RAW = '-?\\d+(\\.\\d+)?';
const LITRES = '\\d+(\\.\\d+)?';
/** A table as it is sent, with 2 to 100 points or none; that what the sensor says ascends stands at its rows. */
export const FUEL_TABLE = `^(${RAW} ${LITRES}(; ${RAW} ${LITRES}){1,${POINTS_MAX - 1}})?$`;

/** A point as it is typed: `''` is a number that is not there yet, and a text what is none. */
export interface FuelRow {
  /** What the sensor says. */
  raw: number | string;
  litres: number | string;
}

/** A point of a curve. */
export interface FuelPoint {
  raw: number;
  litres: number;
}

/** What is wrong with a row. */
type RowProblem = 'incomplete' | 'litres' | 'order';

const isBlank = ({ raw, litres }: FuelRow) => raw === '' && litres === '';
const NUMBER = /^-?\d+(\.\d+)?$/;
const numberOf = (written: string): number | undefined => (NUMBER.test(written) ? Number(written) : undefined);
const typedNumber = (typed: number | string): number | undefined => (typeof typed === 'number' ? typed : undefined);

/** The rows of a table as it stands in the form. */
export function rowsOf(text: string): FuelRow[] {
  if (text === '') return [];
  return text.split('; ').map((point) => {
    const [raw = '', litres = ''] = point.split(' ');
    return { raw: numberOf(raw) ?? '', litres: numberOf(litres) ?? '' };
  });
}

/** Rows as one text: `0 0; 512 30.5`. A number that is missing is missing there too, and rows without any are left out. */
export const textOf = (rows: readonly FuelRow[]): string =>
  rows
    .filter((row) => !isBlank(row))
    .map(({ raw, litres }) => `${typedNumber(raw) ?? ''} ${typedNumber(litres) ?? ''}`)
    .join('; ');

/** What is wrong with each row. */
export function problemsOf(rows: readonly FuelRow[]): (RowProblem | undefined)[] {
  let highest = -Infinity;
  return rows.map((row) => {
    if (isBlank(row)) return undefined;
    const [raw, litres] = [typedNumber(row.raw), typedNumber(row.litres)];
    if (raw === undefined || litres === undefined) return 'incomplete';
    const ascends = raw > highest;
    highest = Math.max(highest, raw);
    if (!ascends) return 'order';
    return litres < 0 || litres > LITRES_MAX ? 'litres' : undefined;
  });
}

/** The points of a curve, from left to right; none where there are not enough for one. */
export function curveOf(rows: readonly FuelRow[]): FuelPoint[] {
  const points = rows.flatMap((row) => {
    const [raw, litres] = [typedNumber(row.raw), typedNumber(row.litres)];
    return raw === undefined || litres === undefined ? [] : [{ raw, litres }];
  });
  points.sort((one, other) => one.raw - other.raw);
  const [first, last] = [points[0], points.at(-1)];
  return first && last && first.raw < last.raw ? points : [];
}

/**
 * The rows of two columns that were copied from a spreadsheet, without their headings; null of anything else. Such numbers
 * are written as in the language of whoever copied them: `decimals` is what stands before decimals here.
 */
export function pastedRows(text: string, decimals: string): FuelRow[] | null {
  const rows = text.split(/\r?\n/).flatMap((line) => {
    const [raw, litres] = line
      .trim()
      .split(/\s*[\t;]\s*|\s+/)
      .map((cell) => writtenNumber(cell, decimals));
    return raw === undefined || litres === undefined ? [] : [{ raw, litres }];
  });
  return rows.length > 0 ? rows.slice(0, POINTS_MAX) : null;
}

function writtenNumber(cell: string, decimals: string): number | undefined {
  const marks = cell.match(/[.,]/g) ?? [];
  const place = Math.max(cell.lastIndexOf('.'), cell.lastIndexOf(','));
  const ofBoth = new Set(marks).size === 2;
  const isDecimal = ofBoth || (marks.length === 1 && (marks[0] === decimals || !/[.,]\d{3}$/.test(cell)));
  const whole = (isDecimal ? cell.slice(0, place) : cell).replace(/[.,]/g, '');
  const plain = isDecimal ? `${whole}.${cell.slice(place + 1)}` : whole;
  return numberOf(plain);
}
