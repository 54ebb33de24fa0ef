import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { AlarmBar } from './AlarmBar';

/** The alarm that asks most, over every screen, for as long as nobody has acknowledged it. */
export function UrgentAlarm() {
  const open = useOpenAlarms();
  const urgent = open?.alarms?.[0];
  return urgent && <AlarmBar alarm={urgent} others={(open?.count ?? 1) - 1} />;
}
