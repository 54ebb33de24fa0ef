/** The languages of the console; the first is the source of all texts. */
export const LANGUAGES = ['id', 'en', 'zh', 'jv'] as const;
/** One of them. */
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  id: 'Bahasa Indonesia',
  en: 'English',
  zh: '中文',
  jv: 'Basa Jawa',
};

/** Where the chosen language is kept in the browser. */
export const LANGUAGE_KEY = 'language';

/** The language of a tag like `en-GB`, if it is one of ours. */
function supported(tag: string | null | undefined): Language | undefined {
  const base = tag?.split(/[-_]/)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === base);
}

/** The language a tag like `en-GB` stands for; Indonesian for every other. */
export function languageOf(tag: string | undefined): Language {
  return supported(tag) ?? 'id';
}

/** The language that was chosen here, else the first of the browser's that there is, else Indonesian. */
export function detectLanguage(): Language {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(LANGUAGE_KEY);
  } catch {
    // Nothing was chosen here that could be known.
  }
  for (const tag of [chosen, ...navigator.languages]) {
    const language = supported(tag);
    if (language) return language;
  }
  return 'id';
}
