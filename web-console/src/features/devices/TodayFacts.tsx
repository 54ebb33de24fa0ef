import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { activityToday } from '@/live/today';
import { useLivePosition } from '@/live/useLive';

/** What a vehicle has come to since midnight, as it goes on. */
export function TodayFacts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const now = useNow();
  const position = useLivePosition(deviceId);
  const today = position && activityToday(position, now);
  if (!today) return <Text c="dimmed">{t('today.nothing')}</Text>;
  return (
    <Facts>
      <Fact label={t('today.distance')}>{formats.distance(today.distance)}</Fact>
      <Fact label={t('today.engine')}>{today.engine !== null && formats.duration(today.engine)}</Fact>
      <Fact label={t('today.moving')}>{formats.duration(today.moving)}</Fact>
      <Fact label={t('today.idle')}>{formats.duration(today.idle)}</Fact>
      <Fact label={t('today.parked')}>{formats.duration(today.parked)}</Fact>
    </Facts>
  );
}
