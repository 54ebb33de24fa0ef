import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useListDevicesQuery } from '@/api/api';
import { pageOf, type Device } from '@/api/types';
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
import { DeviceDrawer } from './DeviceDrawer';

/** The vehicles with their trackers. */
export function DevicesPage() {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation('common');
  useTitle(t('title'));
  const [params, setParams] = useListParams('name');
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListDevicesQuery(params);
  const page = pageOf<Device>(data);
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
          rowKey={(device) => device.id}
          params={params}
          onParams={setParams}
          onOpen={(device) => setOpen(device.id)}
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
      {open && <DeviceDrawer key={open} id={open === NEW ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function useColumns(): Column<Device>[] {
  const { t } = useTranslation('devices');
  return [
    { key: 'name', label: t('field.name'), sortable: true, cell: (device) => device.name },
    { key: 'imei', label: t('field.imei'), sortable: true, cell: (device) => <span className="tabular">{device.imei}</span> },
    { key: 'sim_number', label: t('field.simNumber'), wideOnly: true, cell: (device) => device.sim_number || '–' },
    {
      key: 'status',
      label: t('field.status'),
      sortable: true,
      cell: ({ status }) => (
        <StatusBadge tone={status === 'active' ? 'positive' : 'neutral'}>
          {status === 'active' ? t('status.active') : t('status.inactive')}
        </StatusBadge>
      ),
    },
    {
      key: 'updated_at',
      label: t('field.updatedAt'),
      sortable: true,
      align: 'right',
      wideOnly: true,
      cell: (device) => device.updated_at && <TimeAgo at={device.updated_at} />,
    },
  ];
}
