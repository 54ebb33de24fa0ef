import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { StandingAlarms } from '@/components/alarms/StandingAlarms';
import { DueOf } from '@/components/DueOf';
import { lazyPart } from '@/lib/lazyPart';
import { useLiveDevice } from '@/live/useLive';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DayRibbon } from './DayRibbon';
import { DeviceWarnings } from './DeviceWarnings';
import classes from './DevicePage.module.css';
import { LiveFacts } from './LiveFacts';
import { LiveNow } from './LiveNow';
import { OverviewCard } from './OverviewCard';
import { PresentDriver } from './PresentDriver';
import { TodayFacts } from './TodayFacts';
import { useTrackToday } from './useTrackToday';

const NowMap = lazyPart(async () => (await import('./NowMap')).NowMap);

/** A vehicle now: what it does and where, who drives it, what it has done today, and what somebody has to see to. */
export function DeviceNow({ row: device }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  const person = useSelector(selectPerson);
  const { alarms, position } = useLiveDevice(device.id) ?? {};
  const today = useTrackToday(device.id);
  const seesDue = can('document:list', person) || can('maintenance:list', person);
  return (
    <div className={classes.now}>
      <DeviceWarnings device={device} />
      {alarms && <StandingAlarms deviceId={device.id} alarms={alarms} />}
      <div className={classes.front} data-map={position ? true : undefined}>
        <div className={classes.side}>
          <OverviewCard title={t('live.title')}>
            <LiveNow deviceId={device.id} />
          </OverviewCard>
          <OverviewCard title={t('driver.title')}>
            <PresentDriver device={device} />
          </OverviewCard>
        </div>
        {position && (
          <div className={classes.map}>
            <NowMap position={position} fixes={today.fixes} />
          </div>
        )}
      </div>
      {can('position:live', person) && (
        <OverviewCard title={t('today.title')}>
          <TodayFacts deviceId={device.id} />
          <DayRibbon deviceId={device.id} today={today} />
        </OverviewCard>
      )}
      {seesDue && (
        <OverviewCard title={t('due.title')}>
          <DueOf deviceId={device.id} />
        </OverviewCard>
      )}
      {position && (
        <details className={classes.card}>
          <summary className={classes.summary}>{t('live.tracker')}</summary>
          <LiveFacts deviceId={device.id} />
        </details>
      )}
    </div>
  );
}
