import { useTranslation } from 'react-i18next';
import type { Maintenance } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';

type Limits = Pick<Maintenance, 'trigger_mode' | 'due_date' | 'due_odometer' | 'due_engine_hours'>;

/** The limits that count for a maintenance in words, the date first; none where there is none. */
export function useDueWords(): (limits: Limits) => string[] {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  return ({ trigger_mode: mode, due_date: day, due_odometer: odometer, due_engine_hours: hours }) => {
    const counts = (trigger: typeof mode) => mode === 'any' || mode === trigger;
    return [
      counts('schedule') && day && formats.date(day),
      counts('mileage') && odometer > 0 && t('km', { formatted: formats.number(odometer) }),
      counts('engine_hours') && hours > 0 && t('hours', { formatted: formats.number(hours) }),
    ].filter((part): part is string => !!part);
  };
}
