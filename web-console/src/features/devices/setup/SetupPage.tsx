import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { Part } from '@/components/Part';
import { usePolling } from '@/lib/usePolling';
import { useTitle } from '@/lib/useTitle';
import { useOneQuery } from '@/resource/calls';
import type { Values } from '@/resource/defineResource';
import { StackedDrawers } from '@/resource/StackedDrawers';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { DeviceSetup } from './DeviceSetup';
import { NewDevice } from './NewDevice';
import { useSetupAddress } from './useSetupAddress';

/** What another device has that one like it has as well. */
const ALIKE = [
  'tenant_id',
  'gps_brand_id',
  'gps_model_id',
  'gps_protocol_id',
  'group_ids',
  'icon_type',
] as const satisfies (keyof Device)[];

/** While somebody has to decide on its IMEI, that is asked again. */
const POLL_SECONDS = 10;

/** Leads somebody who stands beside a vehicle from the tracker's IMEI to a device that is known to work. */
export function SetupPage() {
  const { t } = useTranslation('setup');
  const person = useSelector(selectPerson);
  const { deviceId, like, imei } = useSetupAddress();
  useTitle(t('title'));
  if (!mayDo('devices', deviceId ? 'list' : 'create', person)) return <NoAccess text={t('noAccess')} />;
  return (
    <Page>
      <PageHeader title={t('title')} text={deviceId ? undefined : t('intro')} />
      {deviceId ? (
        <Loaded key={deviceId} id={deviceId}>
          {(device) => (
            <Part height={120}>
              <DeviceSetup device={device} />
            </Part>
          )}
        </Loaded>
      ) : like ? (
        <Loaded key={like} id={like}>
          {(device) => <NewDevice like={device.name} initial={alike(device)} />}
        </Loaded>
      ) : (
        <NewDevice key={imei} />
      )}
      <StackedDrawers />
    </Page>
  );
}

const alike = (device: Device): Values =>
  Object.fromEntries(ALIKE.flatMap((name) => (device[name] === undefined ? [] : [[name, device[name]]])));

function Loaded({ id, children }: { id: string; children: (device: Device) => ReactNode }) {
  const { t } = useTranslation('setup');
  const {
    currentData: device,
    error,
    refetch,
  } = useOneQuery<Device>('devices', id, {
    refetchOnMountOrArgChange: true,
    pollingInterval: usePolling(POLL_SECONDS),
  });
  if (device) return children(device);
  if (error) return <ErrorState title={t('openFailed')} error={error} onRetry={() => void refetch()} />;
  return (
    <Stack aria-busy="true">
      <Skeleton height={56} />
      <Skeleton height={120} />
    </Stack>
  );
}
