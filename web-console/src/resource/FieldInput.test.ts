import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { helpOf } from './FieldInput';
import { useResourceTexts, type Words } from './texts';

it('explains a field in words, whatever the others of the thing are called', () => {
  const { current: texts } = renderHook(() => useResourceTexts('master-data')).result;
  const words = { ...texts, formats: { number: String } } as unknown as Words;
  const explained = helpOf('port', undefined, words);
  expect(explained).toContain('Port');
  // `lng` and `count` are options of i18next as well.
  expect(helpOf('port', { lng: 106.8, count: 1, ns: 'x' }, words)).toBe(explained);
});
