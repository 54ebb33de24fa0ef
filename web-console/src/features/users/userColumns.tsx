import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import type { Column } from '@/components/DataTable';
import { TimeAgo } from '@/components/TimeAgo';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { UserStatusBadge } from './UserStatusBadge';
import { useUserTexts } from './useUserTexts';

/** What can be shown of users in a list. */
export function useUserColumns(): Column<User>[] {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  const texts = useUserTexts();
  return useMemo(() => {
    const tenant: Column<User> = { key: 'tenant_name', label: t('field.tenant'), width: 120, cell: texts.tenant_name };
    return [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 165, cell: texts.name },
      { key: 'email', label: t('field.email'), sortable: true, width: 190, phone: 'below', cell: texts.email },
      {
        key: 'phone',
        label: t('field.phone'),
        sortable: true,
        width: 145,
        cell: ({ phone }) => phone && <span className="tabular">{phone}</span>,
      },
      ...(can('platform_owner', person) ? [tenant] : []),
      { key: 'roles', label: t('field.roles'), width: 125, cell: texts.roles },
      {
        key: 'status',
        label: t('field.status'),
        width: 105,
        phone: 'beside',
        cell: (user) => <UserStatusBadge user={user} />,
      },
      {
        key: 'last_login',
        label: t('field.lastLogin'),
        sortable: true,
        align: 'right',
        width: 130,
        cell: (user) => (user.last_login ? <TimeAgo at={user.last_login} /> : t('never')),
      },
      {
        key: 'is_tenant_admin',
        label: t('field.tenantAdmin'),
        optional: true,
        width: 130,
        cell: texts.is_tenant_admin,
      },
      {
        key: 'is_subscription_active',
        label: t('field.subscription'),
        optional: true,
        width: 150,
        cell: texts.is_subscription_active,
      },
      { key: 'has_totp', label: t('field.totp'), optional: true, width: 150, cell: texts.has_totp },
      {
        key: 'created_at',
        label: t('field.createdAt'),
        sortable: true,
        optional: true,
        align: 'right',
        width: 130,
        cell: (user) => <TimeAgo at={user.created_at} />,
      },
      {
        key: 'updated_at',
        label: t('field.updatedAt'),
        optional: true,
        align: 'right',
        width: 130,
        cell: (user) => <TimeAgo at={user.updated_at} />,
      },
      { key: 'id', label: t('field.id'), width: 110, cell: texts.id },
    ];
  }, [t, texts, person]);
}
