import { Button } from '@mantine/core';
import { IconArrowsLeftRight, IconHelpCircle, IconListDetails, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router';
import { useListRolesQuery } from '@/api/api';
import type { Role } from '@/api/generated';
import { isApiError } from '@/api/errors';
import { pageOf } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { useTenantName, useTenantOptions } from '@/components/entityQueries';
import { FilterBar } from '@/components/FilterBar';
import type { Filter } from '@/components/filters';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useAddress } from '@/lib/address';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ExplainChooser } from './ExplainChooser';
import { RoleDrawer } from './RoleDrawer';
import { useRoleColumns } from './roleColumns';
import classes from './RolesPage.module.css';

/** The roles of a tenant; for those who may see them. */
export function RolesPage() {
  const { t } = useTranslation('roles');
  useTitle(t('title'));
  if (!can('role:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <RoleList />;
}

const keyOf = (role: Role) => role.id;
const nameOf = (role: Role) => role.name;

function RoleList() {
  const { t } = useTranslation('roles');
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const columns = useRoleColumns();
  const filters = useFilters();
  const list = useMemo(() => ({ table: 'roles', sort: 'name', columns, filters }), [columns, filters]);
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { search, change } = useAddress();
  const { page: number, pageSize, sort, q } = params;
  const tenantId = params.filters.tenant_id?.[0];
  const { data, error, isFetching, refetch } = useListRolesQuery({ page: number, pageSize, sort, q, tenantId });
  const page = pageOf<Role>(data);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  if (isApiError(error) && error.status === 403) return <NoAccess text={t('noAccess')} />;
  const add = can('role:create', person) && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('add')}
    </Button>
  );
  const close = () =>
    change((next) => {
      next.delete('open');
      next.delete('copy');
    }, 'push');
  return (
    <Page fill>
      <PageHeader title={t('title')} count={page?.total} action={add} />
      <MoreAboutRoles />
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
        rowName={nameOf}
        params={params}
        onParams={setParams}
        onOpen={(role) => void navigate(`/roles/${role.id}`)}
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
      {open === NEW && can('role:create', person) && (
        <RoleDrawer
          id={null}
          copyOf={search.get('copy') ?? undefined}
          onClose={close}
          onCreated={(role) => void navigate(`/roles/${role.id}`)}
        />
      )}
    </Page>
  );
}

/** What else there is to know of rights, beside the list. */
function MoreAboutRoles() {
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  const { search, change } = useAddress();
  const explained = search.get('explain');
  const look = { variant: 'default', size: 'compact-md' } as const;
  const explain = (user: string | null) =>
    change(
      (next) => (user === null ? next.delete('explain') : next.set('explain', user)),
      explained === null ? 'push' : 'replace',
    );
  return (
    <>
      <nav className={classes.more} aria-label={t('more')}>
        {can('user:list', person) && (
          <Button {...look} leftSection={<IconHelpCircle size={16} aria-hidden="true" />} onClick={() => explain('')}>
            {t('explain.action')}
          </Button>
        )}
        <Button
          {...look}
          component={Link}
          to="/roles/compare"
          leftSection={<IconArrowsLeftRight size={16} aria-hidden="true" />}
        >
          {t('compare.title')}
        </Button>
        <Button
          {...look}
          component={Link}
          to="/roles/permissions"
          leftSection={<IconListDetails size={16} aria-hidden="true" />}
        >
          {t('catalogue.title')}
        </Button>
      </nav>
      {explained !== null && can('user:list', person) && (
        <ExplainChooser userId={explained} onUser={explain} onClose={() => explain(null)} />
      )}
    </>
  );
}

/** A platform owner may look at one tenant. */
function useFilters(): Filter[] {
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  return useMemo(
    () =>
      can('platform_owner', person)
        ? [
            {
              kind: 'entity',
              name: 'tenant_id',
              label: t('field.tenant'),
              useOptions: useTenantOptions,
              useName: useTenantName,
            },
          ]
        : [],
    [t, person],
  );
}
