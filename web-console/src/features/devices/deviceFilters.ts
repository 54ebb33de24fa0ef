import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useTenantName, useTenantOptions, useUserName, useUserOptions } from '@/components/entityQueries';
import type { Filter } from '@/components/filters';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';
import { ICON_TYPES } from './deviceList';

/** What devices can be narrowed by. */
export function useDeviceFilters(): Filter[] {
  const { t } = useTranslation('devices');
  const person = useSelector(selectPerson);
  const otherUserId = useSelector(selectOtherUser);
  return useMemo(() => {
    const filters: Filter[] = [
      {
        kind: 'choice',
        name: 'status',
        label: t('field.status'),
        options: [
          { value: 'active', label: t('status.active') },
          { value: 'inactive', label: t('status.inactive') },
        ],
      },
      {
        kind: 'choice',
        name: 'icon_type',
        label: t('field.iconType'),
        multiple: true,
        options: ICON_TYPES.map((value) => ({ value, label: t(`iconType.${value}`) })),
      },
    ];
    // Whoever looks at the fleet of one user has chosen already.
    if (can('user:list', person) && otherUserId === null) {
      filters.push({
        kind: 'entity',
        name: 'userIds',
        label: t('field.user'),
        multiple: true,
        useOptions: useUserOptions,
        useName: useUserName,
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
  }, [t, person, otherUserId]);
}
