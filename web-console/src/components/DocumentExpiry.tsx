import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Document } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { StatusBadge, type StatusTone } from './StatusBadge';

const TONES: Record<string, StatusTone> = { valid: 'positive', expiring: 'warning', expired: 'negative' };

/** How a document stands today, and until when it is good. */
export function DocumentExpiry({ row: { state, expires_on: day, days_left: days = 0 } }: { row: Document }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  if (state === 'none' || !day)
    return (
      <Text component="span" size="xs" c="dimmed">
        {t('state.none')}
      </Text>
    );
  const values = { day: formats.date(day), count: Math.abs(days), formatted: formats.number(Math.abs(days)) };
  const words = () => {
    if (state === 'expired') return t('expired', values);
    if (state === 'valid') return t('until', values);
    return days === 0 ? t('today', values) : t('expiring', values);
  };
  return <StatusBadge tone={TONES[state] ?? 'neutral'}>{words()}</StatusBadge>;
}
