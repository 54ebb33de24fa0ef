import type { Alarm } from '@/api/generated';
import { useAlarmName } from '@/i18n/useAlarmName';
import { AcknowledgeDialog } from './AcknowledgeDialog';

/** Asks before this alarm is acknowledged: it stays this one, whatever else is raised meanwhile. */
export function AcknowledgeOne({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const alarmName = useAlarmName();
  return (
    <AcknowledgeDialog
      opened
      count={1}
      ids={() => Promise.resolve({ data: [alarm.id] })}
      names={[`${alarmName(alarm.kind)}, ${alarm.device_name}`]}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
