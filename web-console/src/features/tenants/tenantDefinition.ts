import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '@/components/filters';
import type { ListDefinition } from '@/lib/listParams';
import { useTenantColumns } from './tenantColumns';
import { COST_MODELS, SUBSCRIPTION_STATUSES } from './tenantList';

/** The list of tenants: its columns, its filters, and what its address may say. */
export function useTenantDefinition() {
  const columns = useTenantColumns();
  const filters = useTenantFilters();
  const list = useMemo(
    (): ListDefinition => ({ table: 'tenants', sort: 'name', columns, filters }),
    [columns, filters],
  );
  return { list, columns, filters };
}

/** What tenants can be narrowed by. */
function useTenantFilters(): Filter[] {
  const { t } = useTranslation('tenants');
  return useMemo(
    () => [
      {
        kind: 'choice',
        name: 'active',
        label: t('field.status'),
        options: [
          { value: 'true', label: t('status.active') },
          { value: 'false', label: t('status.inactive') },
        ],
      },
      {
        kind: 'choice',
        name: 'deleted',
        label: t('field.deleted'),
        options: [{ value: 'true', label: t('status.onlyDeleted') }],
      },
      {
        kind: 'choice',
        name: 'subscription_status',
        label: t('field.subscription'),
        multiple: true,
        options: SUBSCRIPTION_STATUSES.map((value) => ({ value, label: t(`subscription.${value}`) })),
      },
      {
        kind: 'choice',
        name: 'cost_model',
        label: t('field.costModel'),
        multiple: true,
        options: COST_MODELS.map((value) => ({ value, label: t(`costModel.${value}`) })),
      },
    ],
    [t],
  );
}
