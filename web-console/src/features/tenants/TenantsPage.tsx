import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListTenantsQuery } from '@/api/api';
import { pageOf, type Tenant } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { SummaryToggle, useSummaryShown } from '@/components/SummaryCards';
import { browserZone } from '@/i18n/timeZone';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams, viewQuery } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { TenantDrawer } from './TenantDrawer';
import { useTenantDefinition } from './tenantDefinition';
import { tenantExport, tenantPage } from './tenantList';
import { TenantSummaryCards } from './TenantSummaryCards';

/** The customers of the platform; for platform owners. */
export function TenantsPage() {
  const { t } = useTranslation('tenants');
  useTitle(t('title'));
  if (!can('platform_owner', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <TenantList />;
}

const keyOf = (tenant: Tenant) => tenant.id;
const nameOf = (tenant: Tenant) => tenant.name;

function TenantList() {
  const { t } = useTranslation('tenants');
  const { list, columns, filters } = useTenantDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const [summaryShown, showSummary] = useSummaryShown(list.table);
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const { data, error, isFetching, refetch } = useListTenantsQuery(tenantPage(params));
  const page = pageOf<Tenant>(data);
  const total = page?.total ?? 0;
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
      {summaryShown && <TenantSummaryCards params={params} onParams={setParams} />}
      <FilterBar
        searchLabel={t('search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      >
        <SummaryToggle shown={summaryShown} onChange={showSummary} />
        <ExportMenu
          file={(format) => tenantExport(params, format, timeZone)}
          printPath={`/print/tenants?${viewQuery(params, list)}`}
          disabled={total === 0}
        />
      </FilterBar>
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={total}
        rowKey={keyOf}
        rowName={nameOf}
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
      {open && (
        <TenantDrawer
          key={open}
          id={open === NEW ? null : open}
          neighbours={page?.items ?? []}
          onShow={setOpen}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}
