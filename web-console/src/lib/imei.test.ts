import { describe, expect, it } from 'vitest';
import { checkDigitOk, imeiDigits, hasWrongCheckDigit, isOtherId, lacksCheckDigit, trackerId } from './imei';

describe('an IMEI', () => {
  it('is read without its separators', () => {
    for (const text of ['865432109876549', '86-543210-987654-9', ' 86 543210 987654 9\n', '86.543210/987654–9']) {
      expect(imeiDigits(text)).toBe('865432109876549');
    }
    expect(imeiDigits('86543210987654a')).toBe('86543210987654a');
  });

  it('has a check digit', () => {
    for (const imei of ['490154203237518', '356938035643809', '000000000000000']) expect(checkDigitOk(imei)).toBe(true);
    expect(checkDigitOk('490154203237519')).toBe(false);
  });

  it('looks mistyped with 15 digits of which the last is wrong', () => {
    expect(['49-015420-323751-9', '490154203237518', '49015420323751', ''].map(hasWrongCheckDigit)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('is short of one with 14 digits', () => {
    expect(['49-015420-323751', '4901542032375', '49015420323751a', '490154203237518'].map(lacksCheckDigit)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('what a tracker calls itself', () => {
  it('is an IMEI without its separators, or what it is', () => {
    expect(trackerId(' 86-543210-987654-9 ')).toBe('865432109876549');
    expect(trackerId(' TK103-12345678 ')).toBe('TK103-12345678');
    expect(trackerId('0812-3456-7890')).toBe('0812-3456-7890');
  });

  it('has 4 to 32 letters, digits, dashes and underscores', () => {
    for (const id of ['0123456789', 'A100000009296F', 'hape_Budi', 'Frame', 'a'.repeat(32)]) {
      expect(isOtherId(id), id).toBe(true);
    }
    for (const id of ['abc', 'a b c d', 'a.b.c.d', 'frame', 'a'.repeat(33), '865432109876549']) {
      expect(isOtherId(id), id).toBe(false);
    }
  });
});
