import { expect, it } from 'vitest';
import { callAddress } from './callAddress';

it('calls a number however it is written, and nothing that is none', () => {
  expect(callAddress(' 0812-3456 7890 ')).toBe('tel:081234567890');
  expect(callAddress('+62 (812) 345')).toBe('tel:+62812345');
  expect(['', '-', 'tidak ada', '0812 / 0813+5'].map(callAddress)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
