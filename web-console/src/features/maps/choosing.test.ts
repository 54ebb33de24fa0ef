import { describe, expect, it } from 'vitest';
import { CHOSEN_MAX, choosingBy, chosenAfter } from './choosing';

const NO_KEYS = { ctrlKey: false, metaKey: false, shiftKey: false };
const many = Array.from({ length: CHOSEN_MAX + 5 }, (_, place) => `v${place}`);

describe('choosing vehicles', () => {
  it('is meant by the keys that are held', () => {
    expect(choosingBy(NO_KEYS)).toBe('only');
    expect(choosingBy({ ...NO_KEYS, ctrlKey: true })).toBe('toggle');
    expect(choosingBy({ ...NO_KEYS, metaKey: true })).toBe('toggle');
    expect(choosingBy({ ...NO_KEYS, shiftKey: true })).toBe('range');
  });

  it('takes one alone, adds one, or takes it away', () => {
    expect(chosenAfter(['a', 'b'], 'c', 'only', [])).toEqual(['c']);
    expect(chosenAfter(['a', 'b'], 'c', 'toggle', [])).toEqual(['a', 'b', 'c']);
    expect(chosenAfter(['a', 'b'], 'a', 'toggle', [])).toEqual(['b']);
  });

  it('takes all of a list from one to another, and where the first is not in it any more the other alone', () => {
    expect(chosenAfter(['z', 'b'], 'd', 'range', ['b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
    expect(chosenAfter(['z'], 'd', 'range', [])).toEqual(['d']);
  });

  it('takes no more than fit into an address, of one by one the newest', () => {
    expect(chosenAfter([], 'v0', 'range', many)).toEqual(many.slice(0, CHOSEN_MAX));
    const full = many.slice(0, CHOSEN_MAX);
    expect(chosenAfter(full, 'w', 'toggle', [])).toEqual([...full.slice(1), 'w']);
  });
});
