import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { CellLink } from '@/components/CellLink';
import { EventMark } from '@/components/events/EventMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useLiveDevice } from '@/live/useLive';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Alarms.module.css';

/** What the alarm is, as a mark in the colour of what it asks and a word. */
export function AlarmKind({ row: { kind, severity } }: { row: Alarm }) {
  const { t } = useTranslation('alarms');
  const alarmName = useAlarmName();
  return (
    <span className={classes.kind}>
      <EventMark kind={kind} />
      <span data-cut>{alarmName(kind)}</span>
      <span className="visually-hidden">{t(`severity.${severity as 'critical'}`)}</span>
    </span>
  );
}

/** Who drives the vehicle now, as far as the live connection says it. */
export const AlarmDriver = ({ alarm }: { alarm: Alarm }) => useLiveDevice(alarm.device_id)?.driver || '–';

/** The vehicle, which leads to its page for who may see vehicles. */
export function AlarmVehicle({ alarm: { device_id: id, device_name: name } }: { alarm: Alarm }) {
  const maySee = mayDo('devices', 'list', useSelector(selectPerson));
  return <CellLink to={maySee ? `/devices/${encodeURIComponent(id)}` : undefined}>{name}</CellLink>;
}

/** Where the vehicle was at the last of its events, in words. Who calls may not know it. */
export function AlarmPlace({ alarm: { lat, lng, last_event_id: event } }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms');
  if (lat === undefined || lng === undefined) return t('placeUnknown');
  return <Address key={event} lat={lat} lng={lng} />;
}
