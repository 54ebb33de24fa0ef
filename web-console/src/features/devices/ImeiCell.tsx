import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { StatusBadge } from '@/components/StatusBadge';

/** Whether something is to be said of an IMEI: that no positions come of it, or that it looks mistyped. */
export const isImeiMarked = ({ imei_status: status, warnings }: Device): boolean =>
  status === 'pending' || status === 'rejected' || warnings.some((warning) => warning.startsWith('imei_'));

/** The same in words. */
export function ImeiMarks({ row: { imei_status: status, warnings } }: { row: Device }) {
  const { t } = useTranslation('devices');
  return (
    <>
      {status === 'pending' && <StatusBadge tone="warning">{t('imei.pending')}</StatusBadge>}
      {status === 'rejected' && <StatusBadge tone="negative">{t('imei.rejected')}</StatusBadge>}
      {warnings.includes('imei_check_digit') && <StatusBadge tone="warning">{t('imei.odd')}</StatusBadge>}
      {warnings.includes('imei_length') && <StatusBadge tone="warning">{t('imei.oddLength')}</StatusBadge>}
      {warnings.includes('imei_case') && <StatusBadge tone="warning">{t('imei.alikeShort')}</StatusBadge>}
    </>
  );
}

/** An IMEI with its marks. */
export const ImeiCell = ({ row }: { row: Device }) => (
  <Group gap="xs" wrap="nowrap">
    <span className="tabular">{row.imei}</span>
    <ImeiMarks row={row} />
  </Group>
);
