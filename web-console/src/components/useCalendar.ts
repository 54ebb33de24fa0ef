import '@mantine/dates/styles.css';
import 'dayjs/locale/id';
import 'dayjs/locale/jv';
import 'dayjs/locale/zh-cn';
import { useTranslation } from 'react-i18next';
import { languageOf, type Language } from '@/i18n/languages';

/** What the calendars of a language are called where they are not called like it. */
const LOCALES: Partial<Record<Language, string>> = { zh: 'zh-cn' };

/** How a calendar speaks the language of the screen. */
export function useCalendar() {
  const { t, i18n } = useTranslation('lists');
  const language = languageOf(i18n.language);
  return {
    locale: LOCALES[language] ?? language,
    ariaLabels: {
      nextMonth: t('calendar.nextMonth'),
      previousMonth: t('calendar.previousMonth'),
      nextYear: t('calendar.nextYear'),
      previousYear: t('calendar.previousYear'),
      nextDecade: t('calendar.nextDecade'),
      previousDecade: t('calendar.previousDecade'),
      monthLevelControl: t('calendar.chooseMonth'),
      yearLevelControl: t('calendar.chooseYear'),
    },
  };
}
