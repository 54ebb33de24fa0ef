import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListGatewaysQuery, useRemoveGatewayMutation } from '@/api/api';
import { pageOf, type TenantGateway } from '@/api/types';
import { DataTable, type Column } from '@/components/DataTable';
import { DetailDrawer } from '@/components/DetailDrawer';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { TimeAgo } from '@/components/TimeAgo';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { TenantName, useTenantFilter } from './claimDefinition';
import { tenantsPage } from './claimList';
import { ClaimTabs } from './ClaimTabs';
import { GatewayForm } from './GatewayForm';
import { RevokeButton } from './RevokeButton';

/** Gateways whose trackers all belong to one tenant; for platform owners. */
export function GatewaysPage() {
  const { t } = useTranslation('claims');
  useTitle(t('gateways.title'));
  if (!can('platform_owner', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <GatewayList />;
}

const keyOf = ({ name }: TenantGateway) => name;

function GatewayList() {
  const { t } = useTranslation('claims');
  const { list, columns, filters } = useDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListGatewaysQuery(tenantsPage(params));
  const page = pageOf<TenantGateway>(data);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('gateways.add')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('gateways.title')} count={page?.total} text={t('gateways.intro')} action={add} />
      <ClaimTabs />
      <FilterBar
        searchLabel={t('gateways.search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      />
      <DataTable
        label={t('gateways.title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={page?.total ?? 0}
        rowKey={keyOf}
        rowName={keyOf}
        params={params}
        onParams={setParams}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('gateways.emptyTitle')} action={add} />
          </EmptyList>
        }
      />
      {open === NEW && (
        <DetailDrawer title={t('gateways.add')} onClose={() => setOpen(null)}>
          <GatewayForm onClose={() => setOpen(null)} />
        </DetailDrawer>
      )}
    </Page>
  );
}

function useDefinition() {
  const { t } = useTranslation('claims');
  const tenant = useTenantFilter();
  const filters = useMemo(() => [tenant], [tenant]);
  const columns = useMemo(
    (): Column<TenantGateway>[] => [
      {
        key: 'name',
        label: t('field.gateway'),
        sortable: true,
        fixed: true,
        width: 200,
        cell: ({ name }) => <code>{name}</code>,
      },
      {
        key: 'tenant_id',
        label: t('field.tenant'),
        width: 220,
        phone: 'below',
        cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
      },
      {
        key: 'created_at',
        label: t('field.assignedAt'),
        sortable: true,
        align: 'right',
        width: 150,
        cell: (row) => <TimeAgo at={row.created_at} />,
      },
      {
        key: 'remove',
        label: t('field.action'),
        width: 140,
        phone: 'beside',
        cell: ({ name }) => <Remove name={name} />,
      },
    ],
    [t],
  );
  const list = useMemo(() => ({ table: 'gateways', sort: 'name', columns, filters }), [columns, filters]);
  return { list, columns, filters };
}

function Remove({ name }: { name: string }) {
  const { t } = useTranslation('claims');
  const [remove] = useRemoveGatewayMutation();
  return (
    <RevokeButton
      name={name}
      send={() => remove({ name })}
      done={t('gateways.removed')}
      failure={t('gateways.removeFailed')}
      title={t('gateways.confirmRemove', { name })}
      text={t('gateways.confirmRemoveText')}
    />
  );
}
