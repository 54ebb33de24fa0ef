import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DeviceWarnings } from './DeviceWarnings';
import classes from './DevicePage.module.css';
import { LiveFacts } from './LiveFacts';
import { NextDocuments } from './NextDocuments';
import { OverviewCard } from './OverviewCard';
import { PresentDriver } from './PresentDriver';
import { TodayFacts } from './TodayFacts';

/** A device at a glance: what it does now, what it has done today, and what somebody has to see to. */
export function DeviceOverview({ row: device }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  const person = useSelector(selectPerson);
  return (
    <>
      <DeviceWarnings device={device} />
      <div className={classes.cards}>
        <OverviewCard title={t('live.title')}>
          <LiveFacts deviceId={device.id} />
        </OverviewCard>
        {can('position:live', person) && (
          <OverviewCard title={t('today.title')}>
            <TodayFacts deviceId={device.id} />
          </OverviewCard>
        )}
        <OverviewCard title={t('driver.title')}>
          <PresentDriver device={device} />
        </OverviewCard>
        {can('document:list', person) && (
          <OverviewCard title={t('documents.title')}>
            <NextDocuments deviceId={device.id} />
          </OverviewCard>
        )}
      </div>
    </>
  );
}
