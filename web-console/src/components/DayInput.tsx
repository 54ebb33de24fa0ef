import '@mantine/dates/styles.css';
import 'dayjs/locale/id';
import 'dayjs/locale/jv';
import 'dayjs/locale/zh-cn';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { languageOf, type Language } from '@/i18n/languages';
import { useFormats } from '@/i18n/useFormats';

/** What the calendars of a language are called where they are not called like it. */
const LOCALES: Partial<Record<Language, string>> = { zh: 'zh-cn' };

type Rest = Pick<
  DateInputProps,
  | 'classNames'
  | 'clearable'
  | 'required'
  | 'description'
  | 'error'
  | 'readOnly'
  | 'variant'
  | 'placeholder'
  | 'ref'
  | 'onBlur'
  | 'name'
>;

interface DayInputProps extends Rest {
  label: string;
  /** `2026-11-21`; empty for none. */
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

/** A day, written and chosen as the language of the screen does: a browser's own field follows the browser's language. */
export function DayInput({ value, min, max, onChange, placeholder, ...rest }: DayInputProps) {
  const { t, i18n } = useTranslation('lists');
  const { days } = useFormats();
  const language = languageOf(i18n.language);
  return (
    <DateInput
      {...rest}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      minDate={min}
      maxDate={max}
      locale={LOCALES[language] ?? language}
      valueFormat={(day) => days.write(day)}
      dateParser={(text) => days.read(text) || null}
      placeholder={placeholder ?? days.pattern}
      autoComplete="off"
      inputMode="numeric"
      rightSection={rest.clearable && value ? undefined : <IconCalendar size={18} aria-hidden="true" />}
      rightSectionPointerEvents={rest.clearable && value ? undefined : 'none'}
      ariaLabels={{
        nextMonth: t('calendar.nextMonth'),
        previousMonth: t('calendar.previousMonth'),
        nextYear: t('calendar.nextYear'),
        previousYear: t('calendar.previousYear'),
        nextDecade: t('calendar.nextDecade'),
        previousDecade: t('calendar.previousDecade'),
        monthLevelControl: t('calendar.chooseMonth'),
        yearLevelControl: t('calendar.chooseYear'),
      }}
    />
  );
}
