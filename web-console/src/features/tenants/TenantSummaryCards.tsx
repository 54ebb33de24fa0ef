import { useTranslation } from 'react-i18next';
import { useTenantSummaryQuery } from '@/api/api';
import { SummaryCards } from '@/components/SummaryCards';
import type { ListParams } from '@/lib/listParams';
import { tenantsOf } from './tenantList';

interface TenantSummaryCardsProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** How many tenants of which kind a list shows, and what they use. */
export function TenantSummaryCards({ params, onParams }: TenantSummaryCardsProps) {
  const { t } = useTranslation('tenants');
  const { data } = useTenantSummaryQuery(tenantsOf(params));
  const subscription = (value: string) => ({ name: 'subscription_status', value });
  return (
    <SummaryCards
      label={t('summary.title')}
      params={params}
      onParams={onParams}
      cards={[
        { key: 'total', label: t('summary.total'), value: data?.total },
        { key: 'active', label: t('summary.active'), value: data?.active, filter: { name: 'active', value: 'true' } },
        {
          key: 'inactive',
          label: t('summary.inactive'),
          value: data?.inactive,
          filter: { name: 'active', value: 'false' },
        },
        {
          key: 'paying',
          label: t('summary.subscribed'),
          value: data?.subscription_active,
          filter: subscription('active'),
        },
        {
          key: 'unpaid',
          label: t('summary.unsubscribed'),
          value: data?.subscription_inactive,
          filter: subscription('inactive'),
        },
        { key: 'past_due', label: t('summary.pastDue'), value: data?.past_due, filter: subscription('past_due') },
        { key: 'canceled', label: t('summary.canceled'), value: data?.canceled, filter: subscription('canceled') },
        { key: 'devices', label: t('summary.devices'), value: data?.used_devices },
        { key: 'users', label: t('summary.users'), value: data?.used_users },
      ]}
    />
  );
}
