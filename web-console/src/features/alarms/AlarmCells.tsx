import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { CellLink } from '@/components/CellLink';
import { EventMark } from '@/components/events/EventMark';
import { usePlaybackLink } from '@/components/events/usePlaybackLink';
import { StatusBadge } from '@/components/StatusBadge';
import { useAlarmName } from '@/i18n/useAlarmName';
import { writePlace } from '@/lib/coordinates';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Alarms.module.css';
import { STATE_TONES } from './alarmTones';

/** What the alarm is, as a mark and a word. */
export function AlarmKind({ row: { kind } }: { row: Alarm }) {
  const alarmName = useAlarmName();
  return (
    <span className={classes.kind}>
      <EventMark kind={kind} />
      <span data-cut>{alarmName(kind)}</span>
    </span>
  );
}

/** Below the title of a drawer, which has said what it is: the vehicle, and whether somebody has seen to it. */
export function AlarmSubtitle({ row: { device_name: name, state } }: { row: Alarm }) {
  const { t } = useTranslation('alarms');
  return (
    <span className={classes.kind}>
      {name} <StatusBadge tone={STATE_TONES[state] ?? 'neutral'}>{t(`state.${state as 'open'}`)}</StatusBadge>
    </span>
  );
}

/** The vehicle, which leads to its page for who may see vehicles. */
export function AlarmVehicle({ alarm: { device_id: id, device_name: name } }: { alarm: Alarm }) {
  const maySee = mayDo('devices', 'list', useSelector(selectPerson));
  return <CellLink to={maySee ? `/devices/${encodeURIComponent(id)}` : undefined}>{name}</CellLink>;
}

/** Where the vehicle was at the last of its events, which leads to the playback of that moment. Who calls may not know it. */
export function AlarmPlace({ alarm: { lat, lng, ...alarm } }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms');
  const playback = usePlaybackLink()({ ...alarm, occurred_at: alarm.last_at });
  if (lat === undefined || lng === undefined) return t('placeUnknown');
  return (
    <CellLink to={playback}>
      <span className="tabular">{writePlace([lat, lng])}</span>
    </CellLink>
  );
}
