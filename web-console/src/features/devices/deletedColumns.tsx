import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import type { Column } from '@/components/DataTable';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { EntityName } from '@/resource/names';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DeletedDeviceActs } from './DeletedDeviceActs';

const DAY_MS = 24 * 3600 * 1000;

/** What is shown of deleted devices, and of which fields the page asks for names. */
export function useDeletedColumns() {
  const { t } = useTranslation('devices');
  const person = useSelector(selectPerson);
  const knowsUsers = can('user:list', person);
  const knowsTenants = can('platform_owner', person);
  const columns = useMemo((): Column<Device>[] => {
    const text = (name: 'vehicle_code' | 'imei', width: number, phone?: 'below'): Column<Device> => ({
      key: name,
      label: t(`field.${name}`),
      sortable: true,
      width,
      phone,
      cell: (row) => row[name] && <span className="tabular">{row[name]}</span>,
    });
    return [
      { key: 'name', label: t('field.name'), sortable: true, fixed: true, width: 206, cell: ({ name }) => name },
      ...(knowsTenants
        ? [
            {
              key: 'tenant_id',
              label: t('field.tenant_id'),
              width: 160,
              cell: ({ tenant_id: id }: Device) => <EntityName of="tenants" id={id} />,
            },
          ]
        : []),
      text('vehicle_code', 120, 'below'),
      text('imei', 176),
      {
        key: 'deleted_at',
        label: t('trash.field.deleted_at'),
        sortable: true,
        width: 150,
        phone: 'below',
        cell: ({ deleted_at: at }) => at && <TimeAgo at={at} />,
      },
      ...(knowsUsers
        ? [
            {
              key: 'deleted_by',
              label: t('trash.field.deleted_by'),
              width: 170,
              // Who is not of the tenant, or is no more, has no name here.
              cell: ({ deleted_by: id }: Device) => id && <EntityName of="users" id={id} absent="–" />,
            },
          ]
        : []),
      {
        key: 'erase_after',
        label: t('trash.field.erase_after'),
        width: 140,
        phone: 'below',
        cell: ({ erase_after: at }) => at && <DaysLeft at={at} />,
      },
      {
        key: 'acts',
        label: t('trash.field.acts'),
        width: 160,
        phone: 'beside',
        cell: (row) => <DeletedDeviceActs device={row} />,
      },
    ];
  }, [t, knowsUsers, knowsTenants]);
  const named = useMemo(
    () => [
      ...(knowsUsers ? [{ name: 'deleted_by', of: 'users' as const }] : []),
      ...(knowsTenants ? [{ name: 'tenant_id', of: 'tenants' as const }] : []),
    ],
    [knowsUsers, knowsTenants],
  );
  return { columns, named };
}

/** In how many days a device is erased; the time itself on hover. */
function DaysLeft({ at }: { at: string }) {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  const count = Math.max(0, Math.ceil((Date.parse(at) - useNow()) / DAY_MS));
  return (
    <time dateTime={at} title={formats.dateTime(at)}>
      {t('trash.left', { count, formatted: formats.number(count) })}
    </time>
  );
}
