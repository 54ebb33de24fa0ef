import { useLocalStorage } from '@mantine/hooks';

/** Whether alarms are heard, as it was chosen in this browser: it is the loudspeaker of this desk that sounds. */
export function useAlarmSound(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useLocalStorage<boolean>({
    key: 'alarm_sound',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [on, setOn];
}
