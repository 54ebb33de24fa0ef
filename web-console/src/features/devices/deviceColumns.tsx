import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import type { Column } from '@/components/DataTable';
import { useTenantName, useUserName } from '@/components/entityQueries';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ImeiCell } from './ImeiCell';
import { LiveSpeed, LiveState } from './LiveCells';

/** What can be shown of devices in a list. */
export function useDeviceColumns(): Column<Device>[] {
  const { t } = useTranslation('devices');
  const person = useSelector(selectPerson);
  return useMemo(() => {
    const columns: Column<Device>[] = [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 206, cell: (device) => device.name },
      {
        key: 'vehicle_code',
        label: t('field.vehicleCode'),
        sortable: true,
        width: 120,
        phone: 'below',
        cell: ({ vehicle_code }) => vehicle_code && <span className="tabular">{vehicle_code}</span>,
      },
      {
        key: 'live',
        label: t('field.live'),
        width: 210,
        phone: 'beside',
        cell: (device) => <LiveState deviceId={device.id} />,
      },
      {
        key: 'speed',
        label: t('field.speed'),
        unit: t('unit.speed'),
        align: 'right',
        width: 140,
        cell: (device) => <LiveSpeed deviceId={device.id} />,
      },
      {
        key: 'primary_driver',
        label: t('field.primaryDriver'),
        sortable: true,
        width: 144,
        phone: 'below',
        cell: (device) => device.primary_driver,
      },
      {
        key: 'icon_type',
        label: t('field.iconType'),
        sortable: true,
        optional: true,
        width: 130,
        cell: ({ icon_type }) => (icon_type === 'unspecified' ? null : t(`iconType.${icon_type}`)),
      },
      {
        key: 'imei',
        label: t('field.imei'),
        sortable: true,
        width: 160,
        cell: (device) => <ImeiCell device={device} />,
      },
      {
        key: 'status',
        label: t('field.status'),
        sortable: true,
        width: 120,
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
        optional: true,
        align: 'right',
        width: 140,
        cell: (device) => <TimeAgo at={device.updated_at} />,
      },
      {
        key: 'sim_number',
        label: t('field.simNumber'),
        optional: true,
        width: 150,
        cell: (device) => device.sim_number,
      },
      { key: 'vehicle_type', label: t('field.vehicleType'), optional: true, cell: (device) => device.vehicle_type },
    ];
    if (can('user:list', person)) {
      columns.push({
        key: 'user_id',
        label: t('field.owner'),
        optional: true,
        cell: ({ user_id }) => user_id && <UserName id={user_id} />,
      });
    }
    if (can('platform_owner', person)) {
      columns.splice(1, 0, {
        key: 'tenant_id',
        label: t('field.tenant'),
        width: 160,
        cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
      });
    }
    return columns;
  }, [t, person]);
}

const UserName = ({ id }: { id: string }) => useUserName(id) ?? '…';
const TenantName = ({ id }: { id: string }) => useTenantName(id) ?? '…';
