import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useNow } from '@/lib/useNow';
import type { VehicleState } from '@/live/vehicleState';
import classes from './ComponentsPage.module.css';
import { LONG_NAME } from './samples';

const TONES: [StatusTone, string][] = [
  ['positive', 'Aktif'],
  ['info', 'Dijadwalkan'],
  ['neutral', 'Nonaktif'],
  ['warning', 'Jatuh tempo'],
  ['negative', 'Diblokir'],
];
const STATES: VehicleState[] = ['moving', 'idle', 'parked', 'offline', 'no_data', 'alarm'];
const AGES_S = [0, 42, 3 * 60, 5 * 3600, 2 * 86_400, 90 * 86_400];

/** Statuses, states of vehicles, ages. */
export function Marks() {
  const now = useNow();
  return (
    <>
      <div className={classes.row}>
        {TONES.map(([tone, word]) => (
          <StatusBadge key={tone} tone={tone}>
            {word}
          </StatusBadge>
        ))}
        <div className={classes.narrow}>
          <StatusBadge tone="warning">{LONG_NAME}</StatusBadge>
        </div>
      </div>
      <div className={classes.row}>
        {STATES.map((state) => (
          <span key={state} className={classes.row}>
            <VehicleStateMark state={state} /> {state}
          </span>
        ))}
      </div>
      <div className={classes.row}>
        {AGES_S.map((seconds) => (
          <TimeAgo key={seconds} at={now - seconds * 1000} />
        ))}
      </div>
    </>
  );
}
