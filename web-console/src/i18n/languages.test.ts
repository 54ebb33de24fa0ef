import { describe, expect, it, vi } from 'vitest';
import { LANGUAGE_KEY, detectLanguage, languageOf } from './languages';

function detect(chosen: string | null, ...browser: string[]): string {
  if (chosen === null) localStorage.removeItem(LANGUAGE_KEY);
  else localStorage.setItem(LANGUAGE_KEY, chosen);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  return detectLanguage();
}

describe('the language', () => {
  it.each([
    [['zh-CN'], 'zh'],
    [['zh-Hant-TW', 'en'], 'zh'],
    [['jv-ID'], 'jv'],
    [['en-GB', 'id'], 'en'],
    [['EN'], 'en'],
    [['fr'], 'id'],
    [['fr-FR', 'en-US'], 'en'],
    [[], 'id'],
  ])('of a browser that speaks %j is %s', (browser, wanted) => {
    expect(detect(null, ...browser)).toBe(wanted);
  });

  it('that was chosen comes before that of the browser', () => {
    expect(detect('jv', 'en-US')).toBe('jv');
    expect(detect('xx', 'en-US')).toBe('en');
  });

  it('of any other tag is Indonesian', () => {
    expect([languageOf('de'), languageOf(undefined), languageOf('en-GB')]).toEqual(['id', 'id', 'en']);
  });
});
