import { describe, expect, it } from 'vitest';
import { formatsFor } from './format';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('formats', () => {
  it('writes numbers by locale, Javanese like Indonesian', () => {
    expect(['id', 'en', 'jv'].map((language) => formatsFor(language).number(1234567))).toEqual([
      '1.234.567',
      '1,234,567',
      '1.234.567',
    ]);
  });

  it.each([
    ['id', 0, 'sekarang'],
    ['id', -2, 'sekarang'],
    ['en', 3 * 60, '3 min. ago'],
    ['en', 26 * 3600, 'yesterday'],
  ])('says in %s how long ago %i s are', (language, seconds, expected) => {
    expect(formatsFor(language).age(now - seconds * 1000, now)).toBe(expected);
  });

  it('never counts in English for Javanese', () => {
    // Node knows Javanese, browsers do not; neither may say "ago".
    expect(formatsFor('jv').age(now - 180_000, now)).toMatch(/^3 (menit kepungkur|mnt lalu)$/);
  });

  it.each([
    [5, '5 d'],
    [65, '1 m'],
    [8040, '2 j 14 m'],
    [-3, '0 d'],
  ])('writes %i s as %s', (seconds, expected) => {
    expect(formatsFor('id').duration(seconds)).toBe(expected);
  });

  it('writes times in the zone asked for', () => {
    expect(formatsFor('en', 'Asia/Jakarta').dateTime(now)).toContain('5:00:00');
    expect(formatsFor('en', 'UTC').dateTime(now)).toContain('10:00:00');
  });

  it('sorts names with numbers as people do', () => {
    expect(['Truk 10', 'Truk 9', 'truk 1'].sort(formatsFor('jv').compare)).toEqual(['truk 1', 'Truk 9', 'Truk 10']);
  });

  it.each([
    [512, '512 B'],
    [1536, '1,5 kB'],
    [2_097_152, '2 MB'],
  ])('writes %i bytes as %s', (bytes, expected) => {
    expect(formatsFor('id').bytes(bytes)).toBe(expected);
  });
});
