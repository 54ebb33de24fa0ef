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

/** The language a tag like `en-GB` stands for; Indonesian for every other. */
export function languageOf(tag: string | undefined): Language {
  const base = tag?.split('-')[0];
  return LANGUAGES.find((language) => language === base) ?? 'id';
}
