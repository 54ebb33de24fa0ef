import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Role } from '@/api/generated';
import type { Column } from '@/components/DataTable';
import { useTenantName } from '@/components/entityQueries';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

/** What can be shown of roles in a list. */
export function useRoleColumns(): Column<Role>[] {
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  const formats = useFormats();
  return useMemo(() => {
    const tenant: Column<Role> = {
      key: 'tenant_id',
      label: t('field.tenant'),
      width: 170,
      phone: 'below',
      cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
    };
    return [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 180, cell: ({ name }) => name },
      ...(can('platform_owner', person) ? [tenant] : []),
      {
        key: 'description',
        label: t('field.description'),
        width: 300,
        phone: 'below',
        cell: ({ description }) => description,
      },
      {
        key: 'users',
        label: t('field.users'),
        align: 'right',
        width: 100,
        cell: ({ users }) => formats.number(users),
      },
      {
        key: 'allowed',
        label: t('field.allowed'),
        align: 'right',
        width: 100,
        cell: ({ allowed }) => formats.number(allowed),
      },
      {
        key: 'denied',
        label: t('field.denied'),
        align: 'right',
        width: 100,
        cell: ({ denied }) => formats.number(denied),
      },
      {
        key: 'updated_at',
        label: t('field.updatedAt'),
        sortable: true,
        align: 'right',
        width: 140,
        cell: ({ updated_at }) => <TimeAgo at={updated_at} />,
      },
      {
        key: 'created_at',
        label: t('field.createdAt'),
        sortable: true,
        optional: true,
        align: 'right',
        width: 140,
        cell: ({ created_at }) => <TimeAgo at={created_at} />,
      },
    ];
  }, [t, person, formats]);
}

const TenantName = ({ id }: { id: string }) => useTenantName(id) ?? '…';
