import { useTranslation } from 'react-i18next';
import { useGetDeviceQuery } from '@/api/api';
import type { Device } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { DeviceForm } from './DeviceForm';
import { LiveState } from './LiveCells';

interface DeviceDrawerProps {
  /** Null for a new one. */
  id: string | null;
  /** The page of the list behind, to go through one by one. */
  neighbours: Device[];
  onShow: (id: string) => void;
  onClose: () => void;
}

/** A device in the drawer at the side: the one with this id, or a new one. */
export function DeviceDrawer({ id, neighbours, onShow, onClose }: DeviceDrawerProps) {
  const { t } = useTranslation('devices');
  // Always from the server: a change must be based on the newest version.
  const query = useGetDeviceQuery({ id: id ?? '' }, { skip: id === null, refetchOnMountOrArgChange: true });
  const { isFetching, error, refetch } = query;
  const device = useFreshSnapshot(query) as Device | undefined;
  const listed = neighbours.find((each) => each.id === id);
  const place = listed ? neighbours.indexOf(listed) : -1;
  const to = (neighbour: Device | undefined) => (neighbour ? () => onShow(neighbour.id) : null);
  const waiting = id !== null && !device;
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (device?.name ?? listed?.name ?? t('title'))}
      subtitle={id !== null && <LiveState deviceId={id} />}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        waiting
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      <DeviceForm device={device} onClose={onClose} />
    </DetailDrawer>
  );
}
