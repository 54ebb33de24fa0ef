import { useTranslation } from 'react-i18next';
import type { Maintenance } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';

type Limits = Pick<Maintenance, 'due_date' | 'due_odometer' | 'due_engine_hours'>;

/** The limits of a maintenance in words, the date first; none where there is none. */
export function useDueWords(): (limits: Limits) => string[] {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  return ({ due_date: day, due_odometer: odometer, due_engine_hours: hours }) =>
    [
      day && formats.date(day),
      odometer > 0 && t('km', { formatted: formats.number(odometer) }),
      hours > 0 && t('hours', { formatted: formats.number(hours) }),
    ].filter((part): part is string => !!part);
}
