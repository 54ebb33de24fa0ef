import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetTenantQuery, useListUsersQuery } from '@/api/api';
import { pageOf, type User } from '@/api/types';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { SearchInput } from '@/components/SearchInput';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useListParams } from '@/lib/listParams';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { UserDrawer } from './UserDrawer';

/** The people who sign in; for platform owners and tenant administrators. */
export function UsersPage() {
  const { t } = useTranslation('users');
  useTitle(t('title'));
  if (!can('manage_users', useSelector(selectPerson))) {
    return (
      <Page>
        <EmptyState wholePage title={t('noAccess')} />
      </Page>
    );
  }
  return <UserList />;
}

function UserList() {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const [params, setParams] = useListParams('name');
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListUsersQuery(params);
  const page = pageOf<User>(data);
  const columns = useColumns();

  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('add')}
    </Button>
  );
  return (
    <Page>
      <PageHeader title={t('title')} count={page?.total} action={add} />
      <SearchInput label={t('search')} value={params.q} onChange={(q) => setParams({ q })} />
      {error && !page ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={page?.items}
          total={page?.total ?? 0}
          rowKey={(user) => user.id}
          params={params}
          onParams={setParams}
          onOpen={(user) => setOpen(user.id)}
          stale={isFetching}
          empty={
            params.q ? (
              <EmptyState
                title={common('table.nothingFound')}
                action={
                  <Button variant="default" onClick={() => setParams({ q: '' })}>
                    {common('table.clearSearch')}
                  </Button>
                }
              />
            ) : (
              <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={add} />
            )
          }
        />
      )}
      {open && <UserDrawer key={open} id={open === NEW ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  const tenant: Column<User> = {
    key: 'tenant_id',
    label: t('field.tenant'),
    wideOnly: true,
    cell: (user) => (user.tenant_id ? <TenantName id={user.tenant_id} /> : '–'),
  };
  return [
    { key: 'name', label: t('field.name'), sortable: true, cell: (user) => user.name },
    { key: 'email', label: t('field.email'), sortable: true, cell: (user) => user.email },
    { key: 'phone', label: t('field.phone'), wideOnly: true, cell: (user) => user.phone || '–' },
    ...(person?.isPlatformOwner ? [tenant] : []),
    { key: 'role', label: t('field.role'), wideOnly: true, cell: (user) => t(`role.${roleOf(user)}`) },
    {
      key: 'is_active',
      label: t('field.status'),
      cell: ({ is_active }) => (
        <StatusBadge tone={is_active ? 'positive' : 'neutral'}>
          {is_active ? t('status.active') : t('status.inactive')}
        </StatusBadge>
      ),
    },
    {
      key: 'last_login',
      label: t('field.lastLogin'),
      sortable: true,
      align: 'right',
      wideOnly: true,
      cell: (user) => (user.last_login ? <TimeAgo at={user.last_login} /> : t('never')),
    },
  ];
}

function TenantName({ id }: { id: string }) {
  const { currentData } = useGetTenantQuery({ id });
  return currentData?.name ?? '…';
}

function roleOf(user: User): 'platform_owner' | 'tenant_admin' | 'member' {
  if (user.is_platform_owner) return 'platform_owner';
  return user.is_tenant_admin ? 'tenant_admin' : 'member';
}
