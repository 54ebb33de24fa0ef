import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListTenantsQuery } from '@/api/api';
import { pageOf, type Tenant } from '@/api/types';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
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
import { TenantDrawer } from './TenantDrawer';

/** The customers of the platform; for platform owners. */
export function TenantsPage() {
  const { t } = useTranslation('tenants');
  useTitle(t('title'));
  if (!can('platform_owner', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <TenantList />;
}

function TenantList() {
  const { t } = useTranslation('tenants');
  const columns = useColumns();
  const list = useMemo(() => ({ table: 'tenants', sort: 'name', columns }), [columns]);
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { page: number, pageSize, sort, q } = params;
  const { data, error, isFetching, refetch } = useListTenantsQuery({ page: number, pageSize, sort, q });
  const page = pageOf<Tenant>(data);
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
      <FilterBar searchLabel={t('search')} list={list} columns={columns} params={params} onParams={setParams} />
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={page?.total ?? 0}
        rowKey={keyOf}
        rowName={(tenant) => tenant.name}
        params={params}
        onParams={setParams}
        onOpen={(tenant) => setOpen(tenant.id)}
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
      {open && <TenantDrawer key={open} id={open === NEW ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const keyOf = (tenant: Tenant) => tenant.id;

function useColumns(): Column<Tenant>[] {
  const { t } = useTranslation('tenants');
  return useMemo(
    () => [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 220, cell: (tenant) => tenant.name },
      {
        key: 'description',
        label: t('field.description'),
        width: 260,
        phone: 'below',
        cell: (tenant) => tenant.description || '–',
      },
      { key: 'time_zone', label: t('field.timeZone'), cell: (tenant) => tenant.time_zone },
      {
        key: 'active',
        label: t('field.status'),
        width: 230,
        phone: 'beside',
        cell: ({ active, is_demo: demo }) => (
          <Group gap="sm" wrap="nowrap">
            <StatusBadge tone={active ? 'positive' : 'neutral'}>
              {active ? t('status.active') : t('status.inactive')}
            </StatusBadge>
            {demo && <StatusBadge tone="info">{t('status.demo')}</StatusBadge>}
          </Group>
        ),
      },
      {
        key: 'created_at',
        label: t('field.createdAt'),
        sortable: true,
        align: 'right',
        cell: (tenant) => <TimeAgo at={tenant.created_at} />,
      },
    ],
    [t],
  );
}
