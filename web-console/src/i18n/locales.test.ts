/// <reference types="vite/client" />
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './languages';

interface Tree {
  [key: string]: string | Tree;
}

const files = import.meta.glob<Tree>('../locales/*/*.json', { eager: true, import: 'default' });
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../api/generated.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
const texts = (language: string, namespace: string) =>
  new Map(flatten(files[`../locales/${language}/${namespace}.json`] ?? {}));
/** Languages have different plural forms of one key. */
const withoutPlural = (key: string) => key.replace(/_(one|other)$/, '');
const placeholders = (text: string) => (text.match(/\{\{\s*\w+\s*\}\}/g) ?? []).sort();

const namespaces = Object.keys(files)
  .filter((path) => path.includes('/id/'))
  .map((path) => path.replace(/^.*\/|\.json$/g, ''));

describe.each(namespaces)('%s', (namespace) => {
  const source = texts('id', namespace);

  it.each(LANGUAGES)('has the same keys in %s, none of them empty', (language) => {
    const own = texts(language, namespace);
    expect([...new Set([...own.keys()].map(withoutPlural))].sort()).toEqual(
      [...new Set([...source.keys()].map(withoutPlural))].sort(),
    );
    expect([...own].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(LANGUAGES)('has equal placeholders in %s', (language) => {
    for (const [key, text] of texts(language, namespace)) {
      const original = source.get(key) ?? source.get(`${withoutPlural(key)}_other`) ?? '';
      expect([key, placeholders(text)]).toEqual([key, placeholders(original)]);
    }
  });

  it('has no key that nothing uses', () => {
    const literals = [...usedLiterals()];
    const unused = [...source.keys()]
      .map(withoutPlural)
      .filter((key) => !literals.some((used) => matches(used, key) || matches(used, `${namespace}:${key}`)));
    expect(unused).toEqual([]);
  });
});

/** Every string in the code; a template ends where its first variable begins. */
function usedLiterals(): Set<string> {
  const found = new Set<string>();
  for (const code of Object.values(sources)) {
    for (const [, text] of code.matchAll(/['"]([\w.:]+)['"]/g)) if (text) found.add(text);
    for (const [, start] of code.matchAll(/`([\w.:]+\.)\$\{/g)) if (start) found.add(`${start}*`);
  }
  return found;
}

const matches = (used: string, key: string) =>
  used.endsWith('*') ? key.startsWith(used.slice(0, -1)) : used === key;
