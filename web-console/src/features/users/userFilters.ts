import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetRoleQuery, useListRolesQuery, useListTenantsQuery } from '@/api/api';
import { SELECT_CHOICES } from '@/components/EntitySelect';
import { useTenantName, useTenantOptions } from '@/components/entityQueries';
import type { Filter } from '@/components/filters';
import { useAddress } from '@/lib/address';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { USER_STATUSES } from './userList';

/** What users can be narrowed by. */
export function useUserFilters(): Filter[] {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  return useMemo(() => {
    const filters: Filter[] = [
      {
        kind: 'choice',
        name: 'status',
        label: t('field.status'),
        multiple: true,
        options: USER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      {
        kind: 'choice',
        name: 'is_subscription_active',
        label: t('field.subscription'),
        options: [
          { value: 'true', label: t('subscription.active') },
          { value: 'false', label: t('subscription.inactive') },
        ],
      },
    ];
    if (can('role:list', person)) {
      filters.push({
        kind: 'entity',
        name: 'role_id',
        label: t('field.role'),
        multiple: true,
        useOptions: useRoleOptions,
        useName: useRoleName,
      });
    }
    if (can('platform_owner', person)) {
      filters.push({
        kind: 'entity',
        name: 'tenant_id',
        label: t('field.tenant'),
        useOptions: useTenantOptions,
        useName: useTenantName,
      });
    }
    return filters;
  }, [t, person]);
}

const useRoleName = (id: string): string | undefined => useGetRoleQuery({ id }).currentData?.name;

/** Roles whose name has this in it. Tenants have roles of equal names, so that over several their tenant is said too. */
function useRoleOptions(q: string) {
  const tenantId = useAddress().search.get('tenant_id') ?? undefined;
  const severalTenants = can('platform_owner', useSelector(selectPerson)) && !tenantId;
  const { data, isFetching } = useListRolesQuery({ page: 1, pageSize: SELECT_CHOICES, sort: 'name', q, tenantId });
  const roles = data?.items ?? [];
  const ids = [...new Set(roles.map((role) => role.tenant_id))];
  const tenants = useListTenantsQuery({ ids, pageSize: SELECT_CHOICES }, { skip: !severalTenants || ids.length === 0 });
  const tenantName = (id: string) => tenants.data?.items.find((tenant) => tenant.id === id)?.name ?? '…';
  const options = roles.map((role) => ({
    value: role.id,
    label: severalTenants ? `${role.name} (${tenantName(role.tenant_id)})` : role.name,
  }));
  return { options, loading: isFetching || tenants.isFetching };
}
