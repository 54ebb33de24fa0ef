/// <reference types="vite/client" />
import { expect, it } from 'vitest';
import { flatten, type Tree } from './localeTree';
import table from './terms.tsv?raw';

/**
 * One word for one thing. Each line of the table names a word that a language never says (any ending where it ends in
 * `*`), what it says instead (and what the word may be a part of), and the files or keys that may say it all the same.
 */
interface Term {
  language: string;
  never: string;
  say: string;
  exceptIn: string[];
}

const texts = import.meta.glob<Tree>(
  ['../locales/*/*.json', '../../../services/bff/locales/*.json', '../../../services/identity/src/mail/texts/*.json'],
  { eager: true, import: 'default' },
);

const terms: Term[] = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [language = '', never = '', say = '', exceptIn = ''] = line.split('\t');
    return { language, never, say, exceptIn: exceptIn.split(' ').filter(Boolean) };
  });

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Chinese has no spaces between words; elsewhere a word ends where it ends. */
function pattern(words: string, language: string): string {
  const stem = escaped(words.replace(/\*$/, ''));
  if (language === 'zh') return stem;
  return `(?<![\\p{L}-])${stem}${words.endsWith('*') ? '' : '(?![\\p{L}-])'}`;
}

/** Finds a word, but not within what is said instead of it. */
function finder({ language, never, say }: Term): (text: string) => boolean {
  const allowed = say
    .split(', ')
    .filter((words) => words.toLowerCase().includes(never.replace(/\*$/, '').toLowerCase()));
  const within =
    allowed.length > 0 ? new RegExp(allowed.map((words) => pattern(words, language)).join('|'), 'giu') : null;
  const found = new RegExp(pattern(never, language), 'iu');
  return (text) => found.test(within ? text.replace(within, ' ') : text);
}

const languageOf = (path: string) => /\/(id|en|zh|jv)[/.]/.exec(path)?.[1] ?? '';

it('have one word for one thing', () => {
  const places = Object.entries(texts).flatMap(([path, tree]) =>
    flatten(tree).map(([key, text]) => ({
      language: languageOf(path),
      place: `${path.replace(/^(\.\.\/)+(locales\/)?/, '$2')} ${key}`,
      text: text.replace(/\{\{?\s*\w+\s*\}?\}|https?:\S+/g, ' '),
    })),
  );
  const wrong = terms.flatMap((term) => {
    const finds = finder(term);
    return places
      .filter(({ language, text }) => language === term.language && finds(text))
      .filter(({ place }) => !term.exceptIn.some((part) => place.includes(part)))
      .map(({ place, text }) => `${place}: never “${term.never}”, say “${term.say}” (${text})`);
  });
  expect(wrong).toEqual([]);
});

it('have a table that is in order, each word once', () => {
  const order = terms.map(({ language, never }) => `${language} ${never}`);
  expect(order).toEqual([...new Set(order)].sort());
  expect(terms.filter(({ say }) => say === '')).toEqual([]);
});
