import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { AcknowledgeButton } from '@/components/alarms/AcknowledgeButton';
import { alarmPath } from '@/components/alarms/alarmPath';
import { RunningTime } from '@/components/alarms/RunningTime';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import classes from './Dashboard.module.css';

/** Alarms that nobody has acknowledged, one by one. */
export function AlarmLines({ alarms }: { alarms: readonly Alarm[] }) {
  const { t } = useTranslation('alarms');
  return (
    <ul className={classes.alarms} aria-label={t('standing.label')}>
      {alarms.map((alarm) => (
        <AlarmLine key={alarm.id} alarm={alarm} />
      ))}
    </ul>
  );
}

/** Leads to all that is known of the alarm. */
function AlarmLine({ alarm }: { alarm: Alarm }) {
  const alarmName = useAlarmName();
  const { id, kind, device_name: vehicle, first_at: since, last_event_id: event, lat, lng } = alarm;
  return (
    <li className={classes.alarm}>
      <Link to={alarmPath(id)} className={classes.event} data-link>
        <EventMark kind={kind} />
        <span className={classes.eventText}>
          <span className={classes.line} data-cut>
            {alarmName(kind)} · <RunningTime since={since} />
          </span>
          <span className={classes.line} data-dimmed data-cut>
            {vehicle}
          </span>
          {lat !== undefined && lng !== undefined && (
            <span className={classes.line} data-dimmed data-cut>
              <Address key={event} lat={lat} lng={lng} />
            </span>
          )}
        </span>
      </Link>
      <AcknowledgeButton alarm={alarm} size="compact-sm" variant="light" />
    </li>
  );
}
