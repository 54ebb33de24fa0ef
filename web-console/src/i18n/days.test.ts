import { describe, expect, it } from 'vitest';
import { formatsFor } from './format';
import { daysOf } from './days';

describe('days that are typed', () => {
  it.each([
    ['id', '31/12/2026', '21/11/2026'],
    ['en', '31/12/2026', '21/11/2026'],
    ['zh', '2026/12/31', '2026/11/21'],
    ['jv', '31/12/2026', '21/11/2026'],
  ] as const)('are written as %s writes them', (language, pattern, text) => {
    const { days } = formatsFor(language);
    expect([days.pattern, days.write('2026-11-21'), days.read(text)]).toEqual([pattern, text, '2026-11-21']);
  });

  it('are read with other signs between', () => {
    const { read } = daysOf(['id']);
    expect(['1-2-2026', '01.02.2026', ' 1 2 2026 ', ''].map(read)).toEqual([
      '2026-02-01',
      '2026-02-01',
      '2026-02-01',
      '',
    ]);
  });

  it('are told from what is none', () => {
    expect(['30/2/2026', '1/13/2026', 'kemarin', '1/2', '1/2/26'].map(daysOf(['id']).read)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
