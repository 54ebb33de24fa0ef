import { useSelector } from 'react-redux';
import { useGetDeviceQuery } from '@/api/calls/devices';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { CallButton } from './CallButton';

/** Calls whoever drives a vehicle, where it is known who that is and how they are reached. */
export function CallDriver({ deviceId }: { deviceId: string }) {
  const maySee = can('device:list', useSelector(selectPerson));
  const { currentData } = useGetDeviceQuery({ id: deviceId }, { skip: !maySee });
  const driverId = currentData?.primary_driver_id;
  return driverId ? <CallButton driverId={driverId} /> : null;
}
