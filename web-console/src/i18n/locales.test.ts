/// <reference types="vite/client" />
import { describe, expect, it } from 'vitest';
import type { Resource } from '@/resource/defineResource';
import { REGISTRY, type ResourceKey } from '@/resource/registry';
import { LANGUAGES } from './languages';
import { flatten, type Tree } from './localeTree';

/**
 * Javanese speaks to strangers in krama. These words are ngoko, the register among friends, and what it makes of verbs: the
 * passive in `di-` (krama: `dipun-`), the ending `-ake` (krama: `-aken`), and its commands, as `priksanen` (krama: `mangga
 * dipunpriksa`).
 */
const NGOKO = new RegExp(
  `(?<![\\p{L}-])(${`
    aja akeh amarga ana anyar apa banjur bakal bali bisa butuh cilik cocogna dadi damela deleng dhewe dhisik dokok duwe durung
    endi entuk gawe gedhèkaken golek
    iki iku ilang ing-kene isih isinana jeneng kabeh kanggo karo katon kena kudu layang liya loro lumaku luwih maneh marang menyang metu
    mlaku mlebu mung nganggo nganti ngendi ngirim ngowahi ora owah padha panggonan pranala priksanen rong saka saiki sampeyan
    sapa sawise seraten siji sing sudanen supaya suwe tuduhna tutupen urip utawa uga undhangan wae waosen wektu wis wong yen
  `
    .trim()
    .split(/\s+/)
    .join('|')}|di(?!pun|git|skon|sku|sp|stri|rek|men|na|nten)\\p{L}+|\\p{L}+ake)(?![\\p{L}-])`,
  'giu',
);

const ofServices = import.meta.glob<Tree>(
  ['../../../services/bff/locales/jv.json', '../../../services/identity/src/mail/texts/jv.json'],
  {
    eager: true,
    import: 'default',
  },
);
const files = import.meta.glob<Tree>('../locales/*/*.json', { eager: true, import: 'default' });
const definitions = Object.values(
  import.meta.glob<Resource>('../features/*/*.resource.tsx', { eager: true, import: 'default' }),
);
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../api/generated*.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

const texts = (language: string, namespace: string) =>
  new Map(flatten(files[`../locales/${language}/${namespace}.json`] ?? {}));
/** Languages have different plural forms of one key. */
const withoutPlural = (key: string) => key.replace(/_(one|other)$/, '');
/** A noun may be one or many, and begin the line, as each language has it. */
const placeholders = (text: string) =>
  (text.match(/\{\{\s*\w+\s*\}\}/g) ?? []).map((name) => name.replace(/one|many/i, 'noun')).sort();

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

  it('has the plural forms that each language needs', () => {
    for (const language of LANGUAGES) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const own = [...texts(language, namespace).keys()];
      for (const key of new Set(own.filter((name) => withoutPlural(name) !== name).map(withoutPlural))) {
        const found = own.filter((name) => withoutPlural(name) === key).map((name) => name.slice(key.length + 1));
        expect([language, key, found.sort()]).toEqual([language, key, [...forms].sort()]);
      }
    }
  });

  it('has no key that nothing uses', () => {
    const literals = [...usedLiterals(), ...valuesOf(namespace)];
    // What stands below a resource's own place stands there instead of what the namespace or all resources say.
    const places = definitions.map(({ key }) => REGISTRY[key]).filter((entry) => entry.namespace === namespace);
    const unplaced = (key: string) => {
      const place = places.find(({ textsAt }) => textsAt && key.startsWith(textsAt))?.textsAt;
      const plain = place && key.slice(place.length);
      return plain && (exists(namespace, plain) || exists('resource', plain)) ? plain : key;
    };
    const unused = [...source.keys()]
      .map(withoutPlural)
      .filter((key) => unplaced(key) === key)
      .filter((key) => !literals.some((used) => matches(used, key) || matches(used, `${namespace}:${key}`)));
    expect(unused).toEqual([]);
  });

  it('speaks krama', () => {
    expect(ngokoIn([...texts('jv', namespace)])).toEqual([]);
  });

  it('is Javanese in Javanese', () => {
    const copied = [...texts('jv', namespace)].filter(([key, text]) => text === source.get(key) && isSentence(text));
    expect(copied).toEqual([]);
  });
});

describe('the texts of the services', () => {
  it.each(Object.entries(ofServices))('speak krama: %s', (_path, tree) => {
    expect(ngokoIn(flatten(tree))).toEqual([]);
  });
  it('are found', () => expect(Object.keys(ofServices)).toHaveLength(2));
});

describe('the navigation', () => {
  it.each([
    ['id', 'Konsol Pelacakan'],
    ['en', 'Tracking Console'],
    ['zh', '追踪控制台'],
    ['jv', 'Konsol Palacakan'],
  ])('is called what it is in %s', (language, title) => {
    expect(texts(language, 'common').get('nav.title')).toBe(title);
  });
});

describe('the code', () => {
  it('asks for texts that there are', () => {
    const missing = Object.entries(sources).flatMap(([file, code]) =>
      askedFor(code)
        .filter(({ namespaces, key }) => !namespaces.some((namespace) => exists(namespace, key)))
        .map(({ key }) => `${file} ${key}`),
    );
    expect(missing).toEqual([]);
  });

  it('asks in calls that this test understands', () => {
    expect(Object.values(sources).flatMap(askedFor).length).toBeGreaterThan(100);
  });
});

const ngokoIn = (all: [string, string][]) =>
  all.flatMap(([key, text]) =>
    [...text.replace(/\{\{?\w+\}?\}|https?:\S+/g, '').matchAll(NGOKO)].map(([word]) => `${key}: ${word}`),
  );

/** Names of things are often the same in Javanese as in Indonesian, with or without a name in them; sentences are not. */
const isSentence = (text: string) =>
  text
    .replace(/\{\{\s*\w+\s*\}\}|\([^)]*\)|\p{P}/gu, ' ')
    .split(/\s+/)
    .filter((word) => /\p{Ll}/u.test(word)).length > 4;

/** The keys that stand literally in calls of what `useTranslation` gave, with the namespaces that these may be of. */
function askedFor(code: string): { namespaces: string[]; key: string }[] {
  const functions = new Map<string, Set<string>>();
  const hooks = /const \{([^}]*)\} = (?:use(Translation|ResourceTexts|Words)\((?:'([\w-]+)'|[\w.]*)\)|words)/g;
  for (const [, names, hook, of] of code.matchAll(hooks)) {
    const name = /\bt(?:: (\w+))?/.exec(names ?? '');
    if (!name) continue;
    const own = name[1] ?? 't';
    const namespaces = functions.get(own) ?? new Set();
    if (hook === 'Translation') namespaces.add(of ?? 'common');
    // A resource says itself what is other than with all of them.
    else
      for (const key of of ? [of as ResourceKey] : definitions.map(({ key }) => key))
        namespaces.add(REGISTRY[key].namespace);
    if (hook !== 'Translation') namespaces.add('resource');
    functions.set(own, namespaces);
  }
  return [...functions].flatMap(([name, of]) =>
    [...code.matchAll(new RegExp(`\\b${name}\\('([\\w.:]+)'`, 'g'))].map(([, key = '']) => {
      const [first, second] = key.split(':');
      return second && first ? { namespaces: [first], key: second } : { namespaces: [...of], key };
    }),
  );
}

function exists(namespace: string, key: string): boolean {
  const source = texts('id', namespace);
  return source.has(key) || source.has(`${key}_other`);
}

/** Keys of the values that the fields of a namespace's resources have. */
const valuesOf = (namespace: string) =>
  definitions
    .filter(({ key }) => REGISTRY[key].namespace === namespace)
    .flatMap(({ fields }) => Object.entries(fields))
    .flatMap(([name, field]) => {
      if (field.kind === 'choice') return field.values.map((value) => `${name}.${value}`);
      return field.kind === 'flag' ? [`${name}.true`, `${name}.false`] : [];
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

const matches = (used: string, key: string) => (used.endsWith('*') ? key.startsWith(used.slice(0, -1)) : used === key);
