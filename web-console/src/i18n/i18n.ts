import i18next, { type BackendModule, type ResourceKey, type TypeOptions } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, LANGUAGE_KEY, detectLanguage, languageOf } from './languages';

/** The texts of one namespace in one language. */
export interface TextFile {
  default: ResourceKey;
}

/** How each file of texts is loaded, by where it stands: `../locales/id/common.json`. */
export type TextFiles = Record<string, () => Promise<TextFile>>;

/** When to ask again for texts that did not come: a screen waits for them rather than show the names of its texts. */
const RETRY_MS = 2_000;

async function textsOf(load: () => Promise<TextFile>): Promise<ResourceKey> {
  for (;;) {
    try {
      return (await load()).default;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Loads a namespace of a language when a screen first asks for it. */
const lazily = (files: TextFiles): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`../locales/${language}/${namespace}.json`];
    if (!load) return done(new Error(`no texts for ${namespace} in ${language}`), false);
    void textsOf(load).then((texts) => done(null, texts));
  },
});

/** The texts of one feature, or those that all share (`common`). */
export type Namespace = keyof TypeOptions['resources'];

/** The texts. */
export const i18n = i18next;

/**
 * Chooses the language and loads what every screen of the page needs of it. There is no language to fall back on, which
 * would be loaded too: a test sees to it that each one is complete.
 */
export async function startI18n(files: TextFiles, namespace: Namespace = 'common'): Promise<void> {
  await i18next
    .use(lazily(files))
    .use(initReactI18next)
    .init({
      lng: detectLanguage(),
      supportedLngs: [...LANGUAGES],
      load: 'languageOnly',
      fallbackLng: false,
      ns: [namespace],
      defaultNS: namespace,
      interpolation: { escapeValue: false },
    });
  showLanguage(i18next.language);
  i18next.on('languageChanged', (language) => {
    showLanguage(language);
    rememberLanguage(language);
  });
}

function showLanguage(language: string): void {
  document.documentElement.lang = languageOf(language);
}

/** Only what somebody chose is kept: who chose nothing goes on with the browser's language, also when that changes. */
function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, languageOf(language));
  } catch {
    // A browser without storage keeps the language for as long as the page is open.
  }
}
