import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListDevicesQuery } from '@/api/api';
import { isApiError } from '@/api/errors';
import { pageOf, type Device } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { browserZone } from '@/i18n/timeZone';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams, viewQuery } from '@/lib/listParams';
import { useSelection } from '@/lib/selection';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useSelectedUserParams } from '@/lib/useSelectedUserParams';
import { useTitle } from '@/lib/useTitle';
import { useLiveConnection } from '@/live/useLiveConnection';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { DeviceDrawer } from './DeviceDrawer';
import { useDeviceDefinition } from './deviceDefinition';
import { deviceExport, devicePage } from './deviceList';
import { useDeviceBulk } from './useDeviceBulk';

const keyOf = (device: Device) => device.id;
const nameOf = (device: Device) => device.name;

/** The vehicles with their trackers. */
export function DevicesPage() {
  const { t } = useTranslation('devices');
  useTitle(t('title'));
  const { list, columns, filters } = useDeviceDefinition();
  const [params, setParams] = useListParams(list);
  const scoped = useSelectedUserParams(params);
  const [open, setOpen] = useDrawerParam();
  const person = useSelector(selectPerson);
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const { data, error, isFetching, refetch } = useListDevicesQuery(devicePage(scoped));
  const page = useMemo(() => pageOf<Device>(data), [data]);
  const total = page?.total ?? 0;
  const scope = JSON.stringify([scoped.q, scoped.filters]);
  const selection = useSelection({ keyOf, scope, present: page?.items });
  const { bulk, dialogs } = useDeviceBulk(selection, scoped, total);
  useLiveConnection();
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  if (isApiError(error) && error.status === 403) return <NoAccess text={t('noAccess')} />;
  const add = can('device:create', person) && (
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
      >
        {can('device:export', person) && (
          <ExportMenu
            file={(format) => deviceExport(scoped, format, timeZone)}
            printPath={`/print/devices?${viewQuery(params, list)}`}
            disabled={total === 0}
          />
        )}
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
        onOpen={(device) => setOpen(device.id)}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        selection={bulk && selection}
        bulk={bulk}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={add} />
          </EmptyList>
        }
      />
      {dialogs}
      {open && (open !== NEW || add) && (
        <DeviceDrawer
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
