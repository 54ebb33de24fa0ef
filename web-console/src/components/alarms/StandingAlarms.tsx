import { Anchor } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListAlarmsQuery } from '@/api/calls/alarms';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { AcknowledgeButton } from './AcknowledgeButton';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import type { StandingAlarm } from '@/live/position';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './StandingAlarms.module.css';

/** As many kinds of alarms as a vehicle has at most, and more. */
const PAGE_MAX = 50;

interface StandingAlarmsProps {
  deviceId: string;
  alarms: readonly StandingAlarm[];
}

/** The alarms of a vehicle that nobody has acknowledged, as the live socket tells of them; and the way to acknowledge them. */
export function StandingAlarms({ deviceId, alarms }: StandingAlarmsProps) {
  return <Alarms key={deviceId} deviceId={deviceId} alarms={alarms} />;
}

function Alarms({ deviceId, alarms }: StandingAlarmsProps) {
  const { t } = useTranslation('alarms');
  const maySee = can('alarm:list', useSelector(selectPerson));
  const { data, refetch } = useListAlarmsQuery(
    { deviceId: [deviceId], state: ['open'], page: 1, pageSize: PAGE_MAX },
    { skip: !maySee, refetchOnMountOrArgChange: true },
  );
  // Other alarms than before are asked for anew; what somebody writes of one of them stays.
  const told = alarms.map(({ kind, since }) => `${kind} ${since}`).join();
  const asked = useRef(told);
  useEffect(() => {
    if (asked.current !== told && maySee) void refetch();
    asked.current = told;
  }, [told, maySee, refetch]);
  return (
    <section aria-label={t('standing.label')}>
      <ul className={classes.list}>
        {alarms.map((standing) => (
          <Line
            key={standing.kind}
            standing={standing}
            alarm={data?.items.find(({ kind, device_id: of }) => kind === standing.kind && of === deviceId)}
          />
        ))}
      </ul>
      {maySee && (
        <Anchor component={Link} to={`/alarms?device_id=${encodeURIComponent(deviceId)}`} className={classes.all}>
          {t('standing.all')}
        </Anchor>
      )}
    </section>
  );
}

/** One of them; what the socket does not say of it comes a moment later, and not to everybody. */
function Line({ standing: { kind, since }, alarm }: { standing: StandingAlarm; alarm: Alarm | undefined }) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const alarmName = useAlarmName();
  const count = alarm?.count ?? 1;
  const about = [
    t('standing.since', { time: formats.dateTime(since) }),
    count > 1 && t('standing.times', { count, formatted: formats.number(count) }),
  ];
  return (
    <li className={classes.alarm}>
      <div className={classes.text}>
        <span className={classes.name}>
          <EventMark kind={kind} /> {alarmName(kind)}
        </span>
        <span className={classes.about}>{about.filter(Boolean).join(' · ')}</span>
        {alarm && (
          <span className={classes.about}>
            {alarm.lat !== undefined && alarm.lng !== undefined ? (
              <Address key={alarm.last_event_id} lat={alarm.lat} lng={alarm.lng} lines={1} />
            ) : (
              t('placeUnknown')
            )}
          </span>
        )}
      </div>
      {alarm && <AcknowledgeButton alarm={alarm} size="compact-sm" />}
    </li>
  );
}
