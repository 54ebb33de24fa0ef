import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListUsersQuery } from '@/api/api';
import { pageOf, type User } from '@/api/types';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { useTenantName, useTenantOptions } from '@/components/entityQueries';
import { FilterBar } from '@/components/FilterBar';
import type { Filter } from '@/components/filters';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { UserDrawer } from './UserDrawer';

/** The people who sign in; for platform owners and tenant administrators. */
export function UsersPage() {
  const { t } = useTranslation('users');
  useTitle(t('title'));
  if (!can('user:list', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <UserList />;
}

function UserList() {
  const { t } = useTranslation('users');
  const columns = useColumns();
  const filters = useFilters();
  const list = useMemo(() => ({ table: 'users', sort: 'name', columns, filters }), [columns, filters]);
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { page: number, pageSize, sort, q } = params;
  const tenantId = params.filters.tenant_id?.[0];
  const { data, error, isFetching, refetch } = useListUsersQuery({ page: number, pageSize, sort, q, tenantId });
  const page = pageOf<User>(data);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('add')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('title')} count={page?.total} action={add} />
      <FilterBar
        searchLabel={t('search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      />
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={page?.total ?? 0}
        rowKey={keyOf}
        rowName={(user) => user.name}
        params={params}
        onParams={setParams}
        onOpen={(user) => setOpen(user.id)}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={add} />
          </EmptyList>
        }
      />
      {open && <UserDrawer key={open} id={open === NEW ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const keyOf = (user: User) => user.id;

/** A platform owner may look at one tenant. */
function useFilters(): Filter[] {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  return useMemo(
    () =>
      can('platform_owner', person)
        ? [{ kind: 'entity', name: 'tenant_id', label: t('field.tenant'), useOptions: useTenantOptions, useName: useTenantName }]
        : [],
    [t, person],
  );
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  return useMemo(() => {
    const tenant: Column<User> = {
      key: 'tenant_id',
      label: t('field.tenant'),
      cell: ({ tenant_id }) => (tenant_id ? <TenantName id={tenant_id} /> : '–'),
    };
    return [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 220, cell: (user) => user.name },
      { key: 'email', label: t('field.email'), sortable: true, width: 240, phone: 'below', cell: (user) => user.email },
      { key: 'phone', label: t('field.phone'), cell: (user) => user.phone || '–' },
      ...(can('platform_owner', person) ? [tenant] : []),
      { key: 'role', label: t('field.role'), cell: (user) => t(`role.${roleOf(user)}`) },
      {
        key: 'is_active',
        label: t('field.status'),
        width: 130,
        phone: 'beside',
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
        cell: (user) => (user.last_login ? <TimeAgo at={user.last_login} /> : t('never')),
      },
    ];
  }, [t, person]);
}

const TenantName = ({ id }: { id: string }) => useTenantName(id) ?? '…';

function roleOf(user: User): 'platform_owner' | 'tenant_admin' | 'member' {
  if (user.is_platform_owner) return 'platform_owner';
  return user.is_tenant_admin ? 'tenant_admin' : 'member';
}
