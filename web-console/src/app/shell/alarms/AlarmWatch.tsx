import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { useArrivals } from '@/components/alarms/useArrivals';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useAlarmSound } from '@/lib/useAlarmSound';
import { useTitleCount } from '@/lib/useTitle';
import { selectOtherUser } from '@/session/sessionSlice';
import { allowSoundOnPress, soundAlarm } from './alarmSound';

/** So many are said in words. */
const MOST = 5;

/** Tells of alarms whatever screen somebody is at: by sound, in the browser's tab, and in words to those who do not see. */
export function AlarmWatch() {
  // Those of another fleet are not new because it is looked at now.
  return <Watch key={useSelector(selectOtherUser) ?? ''} />;
}

function Watch() {
  const { t } = useTranslation();
  const alarmName = useAlarmName();
  const [told, setTold] = useState<readonly Alarm[]>([]);
  const [isOn] = useAlarmSound();
  useEffect(() => (isOn ? allowSoundOnPress() : undefined), [isOn]);
  const tell = useCallback(
    (arrived: readonly Alarm[]) => {
      setTold((before) => [...before, ...arrived].slice(-MOST));
      if (isOn) void soundAlarm(arrived[0]?.severity ?? 'warning');
    },
    [isOn],
  );
  useArrivals('critical', tell);
  useArrivals('warning', tell);
  useTitleCount(useOpenAlarms()?.count ?? 0);
  return (
    <div role="alert" aria-atomic="false" className="visually-hidden" data-testid="alarm-announcer">
      {told.map(({ id, kind, device_name: vehicle }) => (
        <p key={id}>{t('alarms.new', { alarm: alarmName(kind), vehicle })}</p>
      ))}
    </div>
  );
}
