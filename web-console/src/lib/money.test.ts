import { describe, expect, it } from 'vitest';
import { formatsFor } from '@/i18n/format';
import { minorDigits, toMajor, toMinor } from './money';

describe('money', () => {
  it.each([
    ['IDR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['USD', 2],
  ])('of %s has %i digits behind the point', (currency, digits) => expect(minorDigits(currency)).toBe(digits));

  it('goes to the minor unit and back without losing any', () => {
    for (const [major, currency] of [
      [75_000.05, 'IDR'],
      [0.29, 'USD'],
      [1.001, 'KWD'],
      [75, 'JPY'],
    ] as const) {
      expect(toMajor(toMinor(major, currency), currency)).toBe(major);
    }
    expect(toMinor(0.29, 'USD')).toBe(29);
  });

  it.each([
    [7_500_000, 'IDR', 'Rp 75.000'],
    [7_500_050, 'IDR', 'Rp 75.000,50'],
    [1_500, 'JPY', '¥1.500'],
    [1_500, 'KWD', 'KWD 1,500'],
  ])('is written without needless decimals: %i %s', (minor, currency, text) => {
    expect(formatsFor('id').money(minor, currency).replaceAll(/\s/g, ' ')).toBe(text);
  });
});
