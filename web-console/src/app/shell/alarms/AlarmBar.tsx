import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconMap2, IconPhone, IconVolumeOff } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { ALARMS_PATH, alarmPath } from '@/components/alarms/alarmPath';
import { RunningTime } from '@/components/alarms/RunningTime';
import { callAddress, useAlarmVehicle } from '@/components/alarms/useAlarmVehicle';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { lazyPart } from '@/lib/lazyPart';
import { useAlarmSound } from '@/lib/useAlarmSound';
import { focusAround } from '@/lib/useFocusReturn';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './AlarmBar.module.css';
import { isSilenced, soundAlarm, subscribeSilenced } from './alarmSound';

const AcknowledgeOne = lazyPart(async () => (await import('@/components/alarms/AcknowledgeOne')).AcknowledgeOne);

interface AlarmBarProps {
  alarm: Alarm;
  /** How many stand besides. */
  others: number;
}

/** An alarm in one line: whose it is, how long it stands, and what to do about it at once. */
export function AlarmBar({ alarm, others }: AlarmBarProps) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const [asked, setAsked] = useState<Alarm | null>(null);
  // Who has acknowledged the last one has the keyboard in the screen.
  useEffect(() => focusAround, []);
  return (
    <section
      aria-label={t('bar.label')}
      className={classes.bar}
      data-severity={alarm.severity}
      data-testid="alarm-bar"
      data-no-print
    >
      <About key={alarm.id} alarm={alarm} />
      <SoundAgain alarm={alarm} />
      <Call deviceId={alarm.device_id} />
      {can('position:live', person) && (
        <Link
          to={`/maps?device_id=${encodeURIComponent(alarm.device_id)}`}
          className={classes.act}
          aria-label={t('showOnMap')}
        >
          <IconMap2 size={18} aria-hidden="true" />
          <span className={classes.word}>{t('bar.map')}</span>
        </Link>
      )}
      {can('alarm:acknowledge', person) && (
        <UnstyledButton className={classes.act} data-main onClick={() => setAsked(alarm)}>
          <IconCheck size={18} aria-hidden="true" />
          <span className={classes.word}>{t('acknowledge.label')}</span>
        </UnstyledButton>
      )}
      {others > 0 && (
        <Link
          to={ALARMS_PATH}
          className={classes.act}
          aria-label={t('standing.others', { count: others, formatted: formats.number(others) })}
        >
          +{formats.number(others)}
        </Link>
      )}
      {asked && <AcknowledgeOne alarm={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

/** What it is and whose, which leads to all that is known of it. */
function About({ alarm: { id, kind, device_id: deviceId, device_name: name, first_at: since, lat, lng } }: AboutProps) {
  const alarmName = useAlarmName();
  const { plate, driver } = useAlarmVehicle(deviceId);
  return (
    <Link to={alarmPath(id)} className={classes.about}>
      <span className={classes.what}>
        <EventMark kind={kind} />
        <strong className={classes.kind}>{alarmName(kind)}</strong>
        <span className={classes.dot}> · </span>
        <span className={classes.vehicle}>{name}</span>
        <span> · </span>
        <RunningTime since={since} />
      </span>
      <span className={classes.where}>
        {[plate, driver].filter(Boolean).map((each) => (
          <span key={each} className={classes.detail}>
            {each}
          </span>
        ))}
        {lat !== undefined && lng !== undefined && (
          <span className={classes.detail}>
            <Address lat={lat} lng={lng} />
          </span>
        )}
      </span>
    </Link>
  );
}

interface AboutProps {
  alarm: Alarm;
}

/** Calls whoever drives. */
function Call({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('alarms');
  const { driver, phone } = useAlarmVehicle(deviceId);
  if (!phone) return null;
  return (
    <a href={callAddress(phone)} className={classes.act} aria-label={t('call', { name: driver })}>
      <IconPhone size={18} aria-hidden="true" />
      <span className={classes.word}>{t('bar.call')}</span>
    </a>
  );
}

/** A browser lets nothing be heard before somebody has pressed something: this is something to press. */
function SoundAgain({ alarm: { severity } }: AboutProps) {
  const { t } = useTranslation('alarms');
  const [isOn] = useAlarmSound();
  const silenced = useSyncExternalStore(subscribeSilenced, isSilenced);
  if (!isOn || !silenced) return null;
  return (
    <UnstyledButton
      className={classes.act}
      aria-label={t('bar.sound')}
      title={t('bar.sound')}
      onClick={() => void soundAlarm(severity)}
    >
      <IconVolumeOff size={18} aria-hidden="true" />
    </UnstyledButton>
  );
}
