import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { AlarmBar } from './AlarmBar';

/** The alarm that asks most, over every screen, for as long as nobody has acknowledged it. */
export function UrgentAlarm() {
  const open = useOpenAlarms();
  const { alarms = [], count = alarms.length } = open ?? {};
  const [urgent] = alarms;
  return urgent && <AlarmBar alarm={urgent} others={count - 1} />;
}
