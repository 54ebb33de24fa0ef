import { ActionIcon, Anchor } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Alarm } from '@/api/generated';
import { ALARMS_PATH, alarmPath } from '@/components/alarms/alarmPath';
import { RunningTime } from '@/components/alarms/RunningTime';
import type { OpenAlarms } from '@/components/alarms/useOpenAlarms';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Bell.module.css';

interface OpenAlarmListProps {
  open: OpenAlarms;
  onAcknowledge: (alarm: Alarm) => void;
  /** Somebody follows one of its links. */
  onLeave: () => void;
}

/** The alarms that nobody has acknowledged, those that ask most in front. */
export function OpenAlarmList({ open: { alarms = [], count = 0 }, onAcknowledge, onLeave }: OpenAlarmListProps) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const others = count - alarms.length;
  const title = count === 0 ? t('standing.none') : t('standing.label');
  return (
    <>
      <p className={classes.title}>{title}</p>
      {alarms.length > 0 && (
        <ul className={classes.list} aria-label={title}>
          {alarms.map((alarm) => (
            <Line key={alarm.id} alarm={alarm} onAcknowledge={() => onAcknowledge(alarm)} onLeave={onLeave} />
          ))}
        </ul>
      )}
      <p className={classes.foot}>
        {others > 0 && <span>{t('standing.others', { count: others, formatted: formats.number(others) })}</span>}
        <Anchor component={Link} to={ALARMS_PATH} onClick={onLeave} className={classes.all}>
          {t('standing.everything')}
        </Anchor>
      </p>
    </>
  );
}

function Line({ alarm, onAcknowledge, onLeave }: { alarm: Alarm; onAcknowledge: () => void; onLeave: () => void }) {
  const { t } = useTranslation('alarms');
  const alarmName = useAlarmName();
  const mayAcknowledge = can('alarm:acknowledge', useSelector(selectPerson));
  const name = `${alarmName(alarm.kind)}, ${alarm.device_name}`;
  return (
    <li className={classes.line}>
      <Link to={alarmPath(alarm.id)} onClick={onLeave} className={classes.alarm}>
        <EventMark kind={alarm.kind} />
        <span className={classes.names}>
          <span className={classes.kind}>{alarmName(alarm.kind)}</span>
          <span className={classes.vehicle}>{alarm.device_name}</span>
        </span>
        <span className={classes.time}>
          <RunningTime since={alarm.first_at} />
        </span>
      </Link>
      {mayAcknowledge && (
        <ActionIcon
          aria-label={t('acknowledge.named', { alarm: name })}
          title={t('acknowledge.label')}
          onClick={onAcknowledge}
        >
          <IconCheck size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </li>
  );
}
