import { useTranslation } from 'react-i18next';
import { useFormats } from './useFormats';

const DAY_SECONDS = 24 * 3_600;

/** By how much a clock is wrong, in words: a receiver that has lost weeks is years behind, which nobody reads in hours. */
export function useClockOff(): (seconds: number) => string {
  const { t } = useTranslation('common');
  const formats = useFormats();
  return (seconds) => {
    const off = Math.abs(seconds);
    if (off < 2 * DAY_SECONDS) return formats.duration(off);
    return t('clockOff.days', { formatted: formats.number(Math.round(off / DAY_SECONDS)) });
  };
}
