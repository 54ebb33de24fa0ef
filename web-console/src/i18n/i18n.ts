import i18next, { type BackendModule, type ResourceKey } from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, languageOf } from './languages';

const files = import.meta.glob<{ default: ResourceKey }>('../locales/*/*.json');

/** Loads a namespace of a language when a screen first asks for it. */
const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`../locales/${language}/${namespace}.json`];
    if (!load) return done(new Error(`no texts for ${namespace} in ${language}`), false);
    load().then(
      (module) => done(null, module.default),
      (error: unknown) => done(error as Error, true),
    );
  },
};

/** The texts. */
export const i18n = i18next;

/** Chooses the language and loads what every screen needs. */
export async function startI18n(): Promise<void> {
  const showLanguage = (tag: string) => {
    document.documentElement.lang = languageOf(tag);
  };
  i18next.on('languageChanged', showLanguage);
  await i18next
    .use(lazyFiles)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: [...LANGUAGES],
      load: 'languageOnly',
      fallbackLng: { jv: ['id'], default: ['id'] },
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      detection: {
        order: ['localStorage', 'navigator'],
        caches: ['localStorage'],
        lookupLocalStorage: 'language',
      },
    });
  showLanguage(i18next.language);
}
