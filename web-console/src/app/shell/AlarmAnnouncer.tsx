import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { useAlarmName } from '@/i18n/useAlarmName';
import { selectOtherUser } from '@/session/sessionSlice';

/** Says which alarm was raised, to those who do not see the map: whatever screen they are at. */
export function AlarmAnnouncer() {
  // Those of another fleet are not new because it is looked at now.
  return <Announcement key={useSelector(selectOtherUser) ?? ''} />;
}

function Announcement() {
  const { t } = useTranslation();
  const alarmName = useAlarmName();
  const newest = useOpenAlarms()?.newest;
  const [announcement, setAnnouncement] = useState<{ until: number; text: string } | null>(null);
  const until = newest ? Date.parse(newest.first_at) : 0;
  // What stood before somebody came is no news.
  if (newest !== undefined && announcement === null) setAnnouncement({ until, text: '' });
  if (newest && announcement !== null && until > announcement.until) {
    setAnnouncement({ until, text: t('alarms.new', { alarm: alarmName(newest.kind), vehicle: newest.device_name }) });
  }
  return (
    <div role="status" className="visually-hidden" data-testid="alarm-announcer">
      {announcement?.text}
    </div>
  );
}
