import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListImeiAssignmentsQuery, useUnassignImeiMutation } from '@/api/api';
import { pageOf, type ImeiAssignment } from '@/api/types';
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
import { AssignForm } from './AssignForm';
import { TenantName, useTenantFilter } from './claimDefinition';
import { tenantsPage } from './claimList';
import { ClaimTabs } from './ClaimTabs';
import { RevokeButton } from './RevokeButton';

/** IMEIs that are promised to tenants; for platform owners. */
export function AssignmentsPage() {
  const { t } = useTranslation('claims');
  useTitle(t('assignments.title'));
  if (!can('platform_owner', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <AssignmentList />;
}

const keyOf = ({ imei }: ImeiAssignment) => imei;

function AssignmentList() {
  const { t } = useTranslation('claims');
  const { list, columns, filters } = useDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListImeiAssignmentsQuery(tenantsPage(params));
  const page = pageOf<ImeiAssignment>(data);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('assignments.add')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('assignments.title')} count={page?.total} text={t('assignments.intro')} action={add} />
      <ClaimTabs />
      <FilterBar
        searchLabel={t('assignments.search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      />
      <DataTable
        label={t('assignments.title')}
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
            <EmptyState title={t('assignments.emptyTitle')} action={add} />
          </EmptyList>
        }
      />
      {open === NEW && (
        <DetailDrawer title={t('assignments.add')} onClose={() => setOpen(null)}>
          <AssignForm onClose={() => setOpen(null)} />
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
    (): Column<ImeiAssignment>[] => [
      {
        key: 'imei',
        label: t('field.imei'),
        sortable: true,
        fixed: true,
        width: 180,
        cell: ({ imei }) => <span className="tabular">{imei}</span>,
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
        cell: ({ imei }) => <Unassign imei={imei} />,
      },
    ],
    [t],
  );
  const list = useMemo(
    () => ({ table: 'imei-assignments', sort: '-created_at', columns, filters }),
    [columns, filters],
  );
  return { list, columns, filters };
}

function Unassign({ imei }: { imei: string }) {
  const { t } = useTranslation('claims');
  const [unassign] = useUnassignImeiMutation();
  return (
    <RevokeButton
      name={imei}
      send={() => unassign({ imei })}
      done={t('assignments.removed')}
      failure={t('assignments.removeFailed')}
      title={t('assignments.confirmRemove', { imei })}
      text={t('assignments.confirmRemoveText')}
    />
  );
}
