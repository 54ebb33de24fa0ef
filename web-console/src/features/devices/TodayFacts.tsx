import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { activityToday } from '@/live/today';
import { useLivePosition } from '@/live/useLive';
import classes from './DevicePage.module.css';
import type { RibbonMotion } from './ribbon';

/** What a vehicle has come to since midnight, as it goes on. */
export function TodayFacts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const now = useNow();
  const position = useLivePosition(deviceId);
  const today = position && activityToday(position, now);
  if (!today) return <Text c="dimmed">{t('today.nothing')}</Text>;
  return (
    <dl className={classes.figures}>
      <Figure label={t('today.distance')}>{formats.distance(today.distance)}</Figure>
      <Figure label={t('today.moving')} motion="moving">
        {formats.duration(today.moving)}
      </Figure>
      <Figure label={t('today.idle')} motion="idle">
        {formats.duration(today.idle)}
      </Figure>
      <Figure label={t('today.parked')} motion="parked">
        {formats.duration(today.parked)}
      </Figure>
      {today.engine !== null && <Figure label={t('today.engine')}>{formats.duration(today.engine)}</Figure>}
    </dl>
  );
}

/** One of what the ribbon of the day shows has its colour beside its name. */
const Figure = ({ label, motion, children }: { label: string; motion?: RibbonMotion; children: ReactNode }) => (
  <div>
    <dt>
      {motion && <VehicleStateMark state={motion} />}
      {label}
    </dt>
    <dd>{children}</dd>
  </div>
);
