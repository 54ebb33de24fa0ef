import { useTranslation } from 'react-i18next';
import { useGetDeviceQuery } from '@/api/api';
import type { Device } from '@/api/types';
import { LoadingDrawer } from '@/components/LoadingDrawer';
import { useFirst } from '@/lib/useFirst';
import { DeviceForm } from './DeviceForm';

/** A device in the drawer at the side: the one with this id, or a new one. */
export function DeviceDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation('devices');
  // Always from the server: a change must be based on the newest version.
  const { currentData, isFetching, error, refetch } = useGetDeviceQuery(
    { id: id ?? '' },
    { skip: id === null, refetchOnMountOrArgChange: true },
  );
  const device = useFirst(currentData as Device | undefined, !isFetching);
  if (id === null || device) return <DeviceForm device={device} onClose={onClose} />;
  return (
    <LoadingDrawer
      title={t('title')}
      failure={t('openFailed')}
      error={isFetching ? undefined : error}
      onRetry={() => void refetch()}
      onClose={onClose}
    />
  );
}
