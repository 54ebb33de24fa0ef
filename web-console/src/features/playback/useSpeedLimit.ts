import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { useOneQuery } from '@/resource/calls';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** How fast a vehicle may go, km/h; 0 for any speed, and for whom it is not told. */
export function useSpeedLimit(deviceId: string | undefined): number {
  const maySee = mayDo('devices', 'list', useSelector(selectPerson));
  const { currentData: device } = useOneQuery<Device>('devices', maySee && deviceId !== undefined ? deviceId : null);
  return device?.speed_limit ?? 0;
}
