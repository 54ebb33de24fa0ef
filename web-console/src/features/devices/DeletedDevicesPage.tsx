import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useDeepPages, useEndOfPage } from '@/lib/deepPages';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useSelection } from '@/lib/selection';
import { useTitle } from '@/lib/useTitle';
import { useListQuery } from '@/resource/calls';
import { NamesOfPage } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { DeviceTabs } from './DeviceTabs';
import { useDeletedColumns } from './deletedColumns';
import { useRestoreMany } from './useRestoreMany';

/** Devices that are deleted and can be brought back, for who may delete devices. */
export function DeletedDevicesPage() {
  const { t } = useTranslation('devices');
  useTitle(t('trash.title'));
  if (!mayDo('devices', 'delete', useSelector(selectPerson))) return <NoAccess text={t('trash.noAccess')} />;
  return <DeletedDevices />;
}

const keyOf = ({ id }: Device) => id;
const NONE: Device[] = [];

function DeletedDevices() {
  const { t } = useTranslation('devices');
  const { columns, named } = useDeletedColumns();
  const list = useMemo(() => ({ table: 'deleted-devices', sort: '-deleted_at', columns }), [columns]);
  const [params, setParams] = useListParams(list);
  const { q, sort, pageSize } = params;
  const places = useDeepPages(q, params, setParams);
  const { data, currentData, error, isFetching, refetch } = useListQuery<Device>(
    'devices',
    { deleted: true, q, sort, ...places.asked, page_size: pageSize },
    { refetchOnMountOrArgChange: true },
  );
  useEndOfPage(places, currentData?.next);
  const total = data?.total ?? 0;
  const more = data?.more_than_total;
  const selection = useSelection({ keyOf, scope: q, present: data?.items });
  const { ask, dialog } = useRestoreMany(selection, q, total, more);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : data, params, setParams);
  return (
    <Page fill>
      <PageHeader title={t('trash.title')} count={data?.total} more={more} text={t('trash.intro')} />
      <DeviceTabs />
      <FilterBar searchLabel={t('search')} list={list} columns={columns} params={params} onParams={setParams} />
      <NamesOfPage rows={data?.items ?? NONE} fields={named}>
        <DataTable
          label={t('trash.title')}
          list={list}
          columns={columns}
          rows={data?.items}
          total={total}
          more={more}
          next={data?.next !== undefined}
          rowKey={keyOf}
          rowName={({ name }) => name}
          params={params}
          onParams={setParams}
          stale={isFetching}
          error={error}
          failure={t('trash.loadFailed')}
          onRetry={() => void refetch()}
          selection={selection}
          acts={[{ key: 'restore', label: t('trash.restore'), icon: IconArrowBackUp, onClick: ask }]}
          empty={
            <EmptyList params={params} onParams={setParams}>
              <EmptyState icon={IconTrash} title={t('trash.emptyTitle')} text={t('trash.emptyText')} />
            </EmptyList>
          }
        />
      </NamesOfPage>
      {dialog}
    </Page>
  );
}
