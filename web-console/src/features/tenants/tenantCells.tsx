import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Tenant } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';

interface CellProps {
  row: Tenant;
}

/** Whether a tenant's people can sign in, and when what is left of a deleted one goes. */
export function TenantStatus({ row: { active, is_demo, deleted_at, erase_after } }: CellProps) {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  const tone: StatusTone = deleted_at ? 'negative' : active ? 'positive' : 'neutral';
  const word = erase_after
    ? t('status.deleted', { date: formats.date(erase_after) })
    : active
      ? t('active.true')
      : t('active.false');
  return (
    <Group gap="sm" wrap="nowrap">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {is_demo && <StatusBadge tone="info">{t('status.demo')}</StatusBadge>}
    </Group>
  );
}

/** Devices of the limit. */
export const DeviceShare = ({ row }: CellProps) => <Share used={row.used_devices} limit={row.device_limit} />;

/** Users of the limit. */
export const UserShare = ({ row }: CellProps) => <Share used={row.used_users} limit={row.user_limit} />;

/** How much of a limit is used. No limit is never full. */
function Share({ used, limit }: { used: number; limit: number }) {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  const text = `${formats.number(used)} / ${limit === 0 ? t('unlimited') : formats.number(limit)}`;
  if (limit === 0 || used < limit) return <span className="tabular">{text}</span>;
  return (
    <span title={t('full')} className="tabular">
      <StatusBadge tone="warning">
        {text} <span className="visually-hidden">{t('full')}</span>
      </StatusBadge>
    </span>
  );
}

/** For how long a tenant's history is kept. */
export function HistoryKept({ row: { history_days } }: CellProps) {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  return <>{history_days ? `${formats.number(history_days)} ${t('unit.days')}` : t('forever')}</>;
}
