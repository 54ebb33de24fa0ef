import { useSelector } from 'react-redux';
import type { Driver } from '@/api/generated';
import type { Device } from '@/api/types';
import { useLiveDevice } from '@/live/useLive';
import { useOneQuery } from '@/resource/calls';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** What helps to see to an alarm, each empty while it is not known, or not for this person. */
interface AlarmVehicle {
  /** The number plate, or the fleet's own code. */
  plate: string;
  /** Who drives now: that is whom to call. */
  driver: string;
  phone: string;
}

/** The vehicle of an alarm, and who is at its wheel. What the live connection knows is there at once. */
export function useAlarmVehicle(deviceId: string): AlarmVehicle {
  const person = useSelector(selectPerson);
  const live = useLiveDevice(deviceId);
  const { currentData: device } = useOneQuery<Device>('devices', mayDo('devices', 'list', person) ? deviceId : null);
  const driverId = mayDo('drivers', 'list', person) ? device?.primary_driver_id : undefined;
  const { currentData: driver } = useOneQuery<Driver>('drivers', driverId ?? null);
  const name = device?.name ?? live?.name;
  const plate = device?.vehicle_code ?? live?.vehicleCode ?? '';
  return {
    plate: plate === name ? '' : plate,
    driver: device?.primary_driver ?? live?.driver ?? '',
    phone: driver?.phone ?? '',
  };
}

/** What calls a number: people write it with spaces and dashes. */
export const callAddress = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`;
