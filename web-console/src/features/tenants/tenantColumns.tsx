import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubscriptionStatus } from '@/api/generated';
import type { Tenant } from '@/api/types';
import type { Column } from '@/components/DataTable';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { useTenantTexts } from './useTenantTexts';

const SUBSCRIPTION_TONES: Record<SubscriptionStatus, StatusTone> = {
  unspecified: 'neutral',
  inactive: 'neutral',
  active: 'positive',
  past_due: 'warning',
  canceled: 'negative',
};

const toneOf = ({ active, deleted_at: deletedAt }: Tenant): StatusTone => {
  if (deletedAt) return 'negative';
  return active ? 'positive' : 'neutral';
};

/** What can be shown of tenants in a list. */
export function useTenantColumns(): Column<Tenant>[] {
  const { t } = useTranslation('tenants');
  const texts = useTenantTexts();
  return useMemo(
    () => [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 210, cell: texts.name },
      {
        key: 'active',
        label: t('field.status'),
        sortable: true,
        width: 190,
        phone: 'beside',
        cell: (tenant) => (
          <Group gap="sm" wrap="nowrap">
            <StatusBadge tone={toneOf(tenant)}>{texts.active(tenant)}</StatusBadge>
            {tenant.is_demo && <StatusBadge tone="info">{t('status.demo')}</StatusBadge>}
          </Group>
        ),
      },
      {
        key: 'subscription_status',
        label: t('field.subscription'),
        sortable: true,
        width: 150,
        cell: (tenant) => (
          <StatusBadge tone={SUBSCRIPTION_TONES[tenant.subscription_status]}>
            {texts.subscription_status(tenant)}
          </StatusBadge>
        ),
      },
      {
        key: 'cost_model',
        label: t('field.costModel'),
        sortable: true,
        width: 140,
        phone: 'below',
        cell: texts.cost_model,
      },
      {
        key: 'used_devices',
        label: t('field.devices'),
        sortable: true,
        align: 'right',
        width: 150,
        phone: 'below',
        cell: (tenant) => (
          <Share
            used={tenant.used_devices}
            limit={tenant.device_limit}
            full={t('full')}
            text={texts.used_devices(tenant)}
          />
        ),
      },
      {
        key: 'used_users',
        label: t('field.users'),
        align: 'right',
        width: 150,
        cell: (tenant) => (
          <Share used={tenant.used_users} limit={tenant.user_limit} full={t('full')} text={texts.used_users(tenant)} />
        ),
      },
      {
        key: 'cost_per_device',
        label: t('field.costPerDevice'),
        optional: true,
        align: 'right',
        width: 160,
        cell: texts.cost_per_device,
      },
      {
        key: 'cost_bundle',
        label: t('field.costBundle'),
        optional: true,
        align: 'right',
        width: 160,
        cell: texts.cost_bundle,
      },
      { key: 'currency', label: t('field.currency'), optional: true, width: 110, cell: texts.currency },
      {
        key: 'billing_period',
        label: t('field.billingPeriod'),
        optional: true,
        width: 140,
        cell: texts.billing_period,
      },
      {
        key: 'billing_day',
        label: t('field.billingDay'),
        optional: true,
        align: 'right',
        width: 140,
        cell: texts.billing_day,
      },
      {
        key: 'due_day',
        label: t('field.dueDay'),
        unit: t('unit.days'),
        optional: true,
        align: 'right',
        width: 160,
        cell: texts.due_day,
      },
      { key: 'description', label: t('field.description'), optional: true, width: 260, cell: texts.description },
      { key: 'time_zone', label: t('field.timeZone'), optional: true, width: 150, cell: texts.time_zone },
      {
        key: 'created_at',
        label: t('field.createdAt'),
        sortable: true,
        align: 'right',
        width: 130,
        cell: (tenant) => <TimeAgo at={tenant.created_at} />,
      },
      {
        key: 'updated_at',
        label: t('field.updatedAt'),
        optional: true,
        align: 'right',
        width: 130,
        cell: (tenant) => <TimeAgo at={tenant.updated_at} />,
      },
    ],
    [t, texts],
  );
}

/** How much of a limit is used. No limit is never full. */
function Share({ used, limit, full, text }: { used: number; limit: number; full: string; text: string }) {
  if (limit === 0 || used < limit) return <span className="tabular">{text}</span>;
  return (
    <span title={full} className="tabular">
      <StatusBadge tone="warning">
        {text} <span className="visually-hidden">{full}</span>
      </StatusBadge>
    </span>
  );
}
