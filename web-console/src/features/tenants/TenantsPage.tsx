import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListTenantsQuery } from '@/api/api';
import { pageOf, type Tenant } from '@/api/types';
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
import { TenantDrawer } from './TenantDrawer';

/** The customers of the platform; for platform owners. */
export function TenantsPage() {
  const { t } = useTranslation('tenants');
  useTitle(t('title'));
  if (!can('manage_tenants', useSelector(selectPerson))) {
    return (
      <Page>
        <EmptyState wholePage title={t('noAccess')} />
      </Page>
    );
  }
  return <TenantList />;
}

function TenantList() {
  const { t } = useTranslation('tenants');
  const { t: common } = useTranslation('common');
  const [params, setParams] = useListParams('name');
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListTenantsQuery(params);
  const page = pageOf<Tenant>(data);
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
          rowKey={(tenant) => tenant.id}
          params={params}
          onParams={setParams}
          onOpen={(tenant) => setOpen(tenant.id)}
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
      {open && <TenantDrawer key={open} id={open === NEW ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function useColumns(): Column<Tenant>[] {
  const { t } = useTranslation('tenants');
  return [
    { key: 'name', label: t('field.name'), sortable: true, cell: (tenant) => tenant.name },
    { key: 'description', label: t('field.description'), wideOnly: true, cell: (tenant) => tenant.description || '–' },
    { key: 'time_zone', label: t('field.timeZone'), wideOnly: true, cell: (tenant) => tenant.time_zone },
    {
      key: 'active',
      label: t('field.status'),
      cell: ({ active }) => (
        <StatusBadge tone={active ? 'positive' : 'neutral'}>{active ? t('status.active') : t('status.inactive')}</StatusBadge>
      ),
    },
    {
      key: 'created_at',
      label: t('field.createdAt'),
      sortable: true,
      align: 'right',
      wideOnly: true,
      cell: (tenant) => tenant.created_at && <TimeAgo at={tenant.created_at} />,
    },
  ];
}
