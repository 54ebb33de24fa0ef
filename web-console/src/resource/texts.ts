import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '@/i18n/format';
import { useFormats } from '@/i18n/useFormats';
import { REGISTRY, type ResourceKey } from './registry';

/** Words for a resource: its own where it has them, else those that all resources share. */
export type ResourceText = (key: string, values?: Record<string, unknown>) => string;

/** What a resource says of itself and its rows. */
export interface ResourceTexts {
  t: ResourceText;
  /** Whether the resource itself has a text of this key. */
  has: (key: string) => boolean;
  nouns: Nouns;
  language: string;
}

/** What values are put into words with. */
export type Words = ResourceTexts & { formats: Formats };

type Nouns = (key: ResourceKey) => Record<'one' | 'many' | 'One' | 'Many' | 'menu', string>;

const capital = (words: string) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/** What one thing of a resource is called, many, and its screen; capital where a line begins with it. */
export function useNouns(): Nouns {
  const { t, i18n } = useTranslation('resource');
  return useMemo(
    () => (key) => {
      const [one, many] = [t(`noun.${key}.one`), t(`noun.${key}.many`)];
      const menu = `resource:noun.${key}.menu`;
      return {
        one,
        many,
        One: capital(one),
        Many: capital(many),
        menu: i18n.exists(menu) ? t(menu as 'noun.roles.menu') : capital(many),
      };
    },
    [t, i18n],
  );
}

const COMMON = /^(field|help|kind|section|status|unit|validation)\.|^noAccess$/;

/** The texts of a resource. */
export function useResourceTexts(key: ResourceKey): ResourceTexts {
  const { namespace, textsAt } = REGISTRY[key];
  const { i18n } = useTranslation([namespace, 'resource', 'lists', 'common']);
  const { t: shared } = useTranslation('resource');
  const nouns = useNouns();
  const { language } = i18n;
  return useMemo(() => {
    const fixed = i18n.getFixedT(language) as unknown as ResourceText;
    // Resources that share a namespace share the names of their fields.
    const placesOf = (name: string) => [
      ...(textsAt ? [`${namespace}:${textsAt}${name}`] : []),
      ...(!textsAt || COMMON.test(name) ? [`${namespace}:${name}`] : []),
    ];
    const own = (name: string) =>
      placesOf(name).find((place) => [place, `${place}_other`].some((each) => i18n.exists(each)));
    const has = (name: string) => own(name) !== undefined;
    return {
      t: (name, values) => {
        const place = own(name);
        return place ? fixed(place, values) : (shared as unknown as ResourceText)(name, { ...nouns(key), ...values });
      },
      has,
      nouns,
      language,
    };
  }, [i18n, language, namespace, textsAt, shared, nouns, key]);
}

/** The texts of a resource with numbers, days and times as the language writes them. */
export function useWords(key: ResourceKey): Words {
  const texts = useResourceTexts(key);
  const formats = useFormats();
  return useMemo(() => ({ ...texts, formats }), [texts, formats]);
}
