import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { hoursOf } from './figures';

/** Figures of meters in the words of the screen. */
export function useMeterWords() {
  const { t } = useTranslation('meters');
  const formats = useFormats();
  const known = (value: number | null | undefined, words: (value: number) => string) =>
    value === null || value === undefined ? t('unknown') : words(value);
  return {
    /** Metres, in kilometres from a thousand on. */
    distance: (metres: number | null | undefined) => known(metres, formats.distance),
    /** Seconds, in hours. */
    hours: (seconds: number | null | undefined) =>
      known(seconds, (value) => t('hours', { hours: formats.number(hoursOf(value), 1) })),
  };
}
