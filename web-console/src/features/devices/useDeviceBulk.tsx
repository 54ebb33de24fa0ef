import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { direct, fetchAllEntries, type Dispatch } from '@/api/direct';
import type { DeviceInput } from '@/api/generated';
import type { Device } from '@/api/types';
import type { BulkAct } from '@/components/BulkBar';
import { BulkFailures } from '@/components/BulkFailures';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import type { Selection } from '@/lib/selection';
import { useBulk } from '@/lib/useBulk';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DEVICES_URL, deviceFilter } from './deviceList';

type Act = 'activate' | 'deactivate' | 'remove';

const change = (device: Device, signal: AbortSignal, method: 'PUT' | 'DELETE', body?: DeviceInput) =>
  direct(
    { url: `${DEVICES_URL}/${device.id}`, method, body, headers: { 'If-Match': String(device.row_version) } },
    signal,
  );

/** What this person can do to several devices at once, if anything; the dialogs belong on the screen. */
export function useDeviceBulk(selection: Selection<Device>, params: ListParams, total: number) {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  const dispatch = useDispatch<Dispatch>();
  const person = useSelector(selectPerson);
  const [asking, setAsking] = useState<Act | null>(null);
  const [last, setLast] = useState<Act>('activate');
  const { run, progress, stop, outcome, forget } = useBulk<Device>({
    selection,
    everything: (options) => fetchAllEntries(DEVICES_URL, deviceFilter(params), options),
  });
  const count = selection.count(total);

  const start = (act: Act) => {
    setAsking(null);
    setLast(act);
    const status = act === 'activate' ? 'active' : 'inactive';
    void run({
      one: (device, signal) =>
        act === 'remove' ? change(device, signal, 'DELETE') : change(device, signal, 'PUT', { status }),
      done: (changed) => t(`bulk.${act}.done`, { count: changed, formatted: formats.number(changed) }),
      afterwards: (devices) => {
        const changed = devices.map(({ id }) => ({ type: 'devices', id }) as const);
        dispatch(api.util.invalidateTags([{ type: 'devices', id: 'LIST' }, ...(act === 'remove' ? [] : changed)]));
      },
    });
  };

  const acts: BulkAct[] = [
    ...(can('device:update', person)
      ? [
          {
            key: 'activate',
            label: t('bulk.activate.label'),
            icon: IconPlayerPlay,
            onClick: () => setAsking('activate'),
          },
          {
            key: 'deactivate',
            label: t('bulk.deactivate.label'),
            icon: IconPlayerPause,
            onClick: () => setAsking('deactivate'),
          },
        ]
      : []),
    ...(can('device:delete', person)
      ? [
          {
            key: 'remove',
            label: t('bulk.remove.label'),
            icon: IconTrash,
            destructive: true,
            onClick: () => setAsking('remove'),
          },
        ]
      : []),
  ];
  const asked = asking ?? last;
  const words = { count, formatted: formats.number(count) };
  return {
    bulk: acts.length > 0 ? { progress, onStop: stop, acts } : undefined,
    dialogs: (
      <>
        <ConfirmDialog
          opened={asking !== null}
          title={t(`bulk.${asked}.title`, words)}
          text={t(`bulk.${asked}.text`)}
          confirmLabel={t(`bulk.${asked}.label`)}
          destructive={asked === 'remove'}
          typeName={asked === 'remove' ? String(count) : undefined}
          onCancel={() => setAsking(null)}
          onConfirm={() => start(asked)}
        />
        <BulkFailures
          failure={last === 'remove' ? t('deleteFailed') : t('saveFailed')}
          outcome={outcome}
          rowName={({ name }) => name}
          onClose={forget}
        />
      </>
    ),
  };
}
