import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Alarm } from '@/api/generated';
import { RunningTime } from '@/components/alarms/RunningTime';
import { EventMark } from '@/components/events/EventMark';
import { useFormats } from '@/i18n/useFormats';
import classes from './Alarms.module.css';

/** Whether an alarm stands, and for how long it has, or did. */
export function AlarmStrip({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const isOpen = alarm.state === 'open';
  const since = t('standing.since', { time: formats.dateTime(alarm.first_at) });
  const times = alarm.count > 1 && t('standing.times', { count: alarm.count, formatted: formats.number(alarm.count) });
  return (
    <div className={classes.strip} data-severity={isOpen ? alarm.severity : 'none'}>
      {isOpen ? <EventMark kind={alarm.kind} /> : <IconCircleCheck size={20} aria-hidden="true" />}
      <div className={classes.stripText}>
        <strong className={classes.state}>
          {t(`state.${alarm.state as 'open'}`)} · {t(`severity.${alarm.severity as 'critical'}`)}
        </strong>
        <span>{[since, times].filter(Boolean).join(' · ')}</span>
      </div>
      <span className={classes.running}>
        {isOpen ? <RunningTime since={alarm.first_at} /> : formats.duration(alarm.reaction_seconds ?? 0)}
      </span>
    </div>
  );
}
