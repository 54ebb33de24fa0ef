import { expect, it } from 'vitest';
import { readNumber } from './readNumber';

const INDONESIAN = { thousands: '.', decimals: ',' };
const ENGLISH = { thousands: ',', decimals: '.' };

it.each([
  ['', INDONESIAN, 0, '', undefined],
  [' 12 ', INDONESIAN, 0, 12, undefined],
  ['-5', INDONESIAN, 0, -5, undefined],
  ['−5', ENGLISH, 0, -5, undefined],
  ['1.500', INDONESIAN, 0, 1500, undefined],
  ['1500', INDONESIAN, 0, 1500, undefined],
  ['1.234.567,25', INDONESIAN, 2, 1_234_567.25, undefined],
  ['1,234,567.25', ENGLISH, 2, 1_234_567.25, undefined],
  ['1,', INDONESIAN, 1, 1, undefined],
  ['1.5', INDONESIAN, 1, '1.5', 'separators'],
  ['1,5', ENGLISH, 1, '1,5', 'separators'],
  ['15.00', INDONESIAN, 2, '15.00', 'separators'],
  ['1.50,00', INDONESIAN, 2, '1.50,00', 'separators'],
  ['1,5', INDONESIAN, 0, '1,5', 'whole'],
  ['1.500', ENGLISH, 2, '1.500', 'decimals'],
  ['1 liter', INDONESIAN, 0, '1 liter', 'none'],
  ['1e3', ENGLISH, 0, '1e3', 'none'],
  ['--1', ENGLISH, 0, '--1', 'none'],
] as const)('%s with %o and %i decimals', (text, separators, decimals, value, problem) => {
  expect(readNumber(text, separators, decimals)).toEqual(problem ? { value, problem } : { value });
});
