import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { StatusBadge } from '@/components/StatusBadge';

/** An IMEI, with a mark when no positions come of it, or when it looks mistyped. */
export function ImeiCell({ row: { imei, imei_status: status, warnings } }: { row: Device }) {
  const { t } = useTranslation('devices');
  return (
    <Group gap="xs" wrap="nowrap">
      <span className="tabular">{imei}</span>
      {status === 'pending' && <StatusBadge tone="warning">{t('imei.pending')}</StatusBadge>}
      {status === 'rejected' && <StatusBadge tone="negative">{t('imei.rejected')}</StatusBadge>}
      {warnings.includes('imei_check_digit') && <StatusBadge tone="warning">{t('imei.odd')}</StatusBadge>}
    </Group>
  );
}
