import { expect, it } from 'vitest';
import { unitX, unitY } from '@/lib/mercator';
import { mostOf } from './mostOf';

const at = (lat: number, lng: number) => ({ x: unitX(lng), y: unitY(lat) });
const JAVA = [at(-6.2, 106.8), at(-6.9, 107.6), at(-6.7, 108.6), at(-7, 110.4), at(-7.25, 112.75)];
const [MEDAN, JAYAPURA] = [at(3.6, 98.7), at(-2.5, 140.7)];

it('is what lies together, without the few that are far away', () => {
  expect(new Set(mostOf([MEDAN, ...JAVA, JAYAPURA]))).toEqual(new Set(JAVA));
});

it('is all, where no place has most of them', () => {
  const two = [JAVA[0] ?? MEDAN, MEDAN];
  expect(mostOf(two)).toEqual(two);
  expect(mostOf([])).toEqual([]);
});
