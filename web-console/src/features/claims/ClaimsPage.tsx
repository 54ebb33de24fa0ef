import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListImeiClaimsQuery } from '@/api/api';
import { pageOf, type ImeiClaim } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ClaimDrawer } from './ClaimDrawer';
import { useClaimDefinition } from './claimDefinition';
import { claimPage } from './claimList';
import { ClaimTabs } from './ClaimTabs';

/** Who says that a tracker is theirs; platform owners decide. */
export function ClaimsPage() {
  const { t } = useTranslation('claims');
  useTitle(t('title'));
  if (!can('platform_owner', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <ClaimList />;
}

const keyOf = ({ id }: ImeiClaim) => id;
const nameOf = ({ imei }: ImeiClaim) => imei;

function ClaimList() {
  const { t } = useTranslation('claims');
  const { list, columns, filters } = useClaimDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListImeiClaimsQuery(claimPage(params), {
    refetchOnMountOrArgChange: true,
  });
  const page = pageOf<ImeiClaim>(data);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);
  return (
    <Page fill>
      <PageHeader title={t('title')} count={page?.total} text={t('intro')} />
      <ClaimTabs />
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
        onOpen={({ id }) => setOpen(id)}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
          </EmptyList>
        }
      />
      {open && page && (
        <ClaimDrawer key={open} id={open} claims={page.items} onShow={setOpen} onClose={() => setOpen(null)} />
      )}
    </Page>
  );
}
