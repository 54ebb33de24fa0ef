import { describe, expect, it } from 'vitest';
import { curveOf, FUEL_TABLE, pastedRows, problemsOf, rowsOf, textOf } from './fuelTable';

const row = (raw: number | '', litres: number | '') => ({ raw, litres });

describe('a calibration table', () => {
  it('is one text, and rows', () => {
    const rows = [row(-1.5, 0), row(512, 30.5)];
    expect(textOf(rows)).toBe('-1.5 0; 512 30.5');
    expect(rowsOf(textOf(rows))).toEqual(rows);
    expect([rowsOf(''), textOf([row('', '')])]).toEqual([[], '']);
    // What is not typed yet is kept, and is no table.
    const half = [row(5, ''), row('', 3)];
    expect(rowsOf(textOf(half))).toEqual(half);
  });

  it.each<[string, boolean]>([
    ['', true],
    ['0 0; 1 1', true],
    ['-0.5 0; 1 1.25; 2 3', true],
    ['0 0', false],
    ['0 0; 1 ', false],
    ['0 0; 1 -1', false],
    [Array.from({ length: 100 }, (_, raw) => `${raw} 1`).join('; '), true],
    [Array.from({ length: 101 }, (_, raw) => `${raw} 1`).join('; '), false],
  ])('may be sent or not: %s', (text, may) => {
    expect(new RegExp(FUEL_TABLE, 'u').test(text)).toBe(may);
  });

  it('says of each row what is wrong with it', () => {
    const rows = [row(0, 0), row('', ''), row(5, ''), row(5, 2), row(5, 3), row(6, 100_001), row(4, 4)];
    expect(problemsOf(rows)).toEqual([undefined, undefined, 'incomplete', undefined, 'order', 'litres', 'order']);
  });

  it('is a curve from two different points on', () => {
    expect(curveOf([row(2, 1), row('', 3), row(1, 5)])).toEqual([row(1, 5), row(2, 1)]);
    expect([curveOf([row(1, 1)]), curveOf([row(1, 1), row(1, 2)])]).toEqual([[], []]);
  });

  it.each<[string, string, [number, number][] | null]>([
    [
      '0\t0\r\n512\t30,5\r\n1.023\t60',
      ',',
      [
        [0, 0],
        [512, 30.5],
        [1023, 60],
      ],
    ],
    [
      'raw;litres\n0.5;1,000\n4.75;60.25',
      '.',
      [
        [0.5, 1000],
        [4.75, 60.25],
      ],
    ],
    ['1,234.5  7', ',', [[1234.5, 7]]],
    ['30.5 2', ',', [[30.5, 2]]],
    ['512', ',', null],
    ['Truk 1', ',', null],
  ])('takes over what was copied from a spreadsheet: %j', (text, decimals, points) => {
    expect(pastedRows(text, decimals)).toEqual(points && points.map(([raw, litres]) => row(raw, litres)));
  });
});
