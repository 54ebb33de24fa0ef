import { useTranslation } from 'react-i18next';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import classes from './Share.module.css';

/** Another language than the browser's. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation('share');
  return (
    <select
      aria-label={t('language')}
      className={classes.language}
      value={languageOf(i18n.language)}
      onChange={(event) => void i18n.changeLanguage(event.currentTarget.value)}
    >
      {LANGUAGES.map((language) => (
        <option key={language} value={language}>
          {LANGUAGE_NAMES[language]}
        </option>
      ))}
    </select>
  );
}
