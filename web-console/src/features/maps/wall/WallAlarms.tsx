import { useTranslation } from 'react-i18next';
import type { Alarm } from '@/api/generated';
import { RunningTime } from '@/components/alarms/RunningTime';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import classes from './Wall.module.css';

/** As many as fit at the right of a screen of 1080 lines; the rest is counted. */
const MOST = 8;

/** The alarms that nobody has acknowledged; the one that the map shows is marked. */
export function WallAlarms({ shownId }: { shownId: string | undefined }) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const { alarms = [], count = 0 } = useOpenAlarms() ?? {};
  const others = count - Math.min(MOST, alarms.length);
  return (
    <div className={classes.alarms}>
      <h2 className={classes.title}>{count === 0 ? t('standing.none') : t('standing.label')}</h2>
      <ul className={classes.list}>
        {alarms.slice(0, MOST).map((alarm) => (
          <Line key={alarm.id} alarm={alarm} shown={alarm.id === shownId} />
        ))}
      </ul>
      {others > 0 && (
        <p className={classes.others}>{t('standing.others', { count: others, formatted: formats.number(others) })}</p>
      )}
    </div>
  );
}

function Line({ alarm, shown }: { alarm: Alarm; shown: boolean }) {
  const alarmName = useAlarmName();
  return (
    <li className={classes.alarm} data-severity={alarm.severity} data-shown={shown || undefined}>
      <span className={classes.kind}>
        <EventMark kind={alarm.kind} />
        <span>{alarmName(alarm.kind)}</span>
      </span>
      <span className={classes.vehicle}>{alarm.device_name}</span>
      <span className={classes.time}>
        <RunningTime since={alarm.first_at} />
      </span>
    </li>
  );
}
