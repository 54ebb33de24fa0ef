import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeviceMetersQuery } from '@/api/api';
import type { TrackPoint } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { Fact, Facts } from '@/components/Facts';
import { dayOf, startOfDay } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { usePolling } from '@/lib/usePolling';
import { selectTimeZone } from '@/session/sessionSlice';
import { useNewestFix } from './useNewestFix';

const POLL_SECONDS = 60;

type Counter = 'odometer' | 'engine_seconds';

/** How far a counter has gone between two fixes; none when one of them does not have it, or it began anew. */
function between(before: TrackPoint, now: TrackPoint, counter: Counter): number | null {
  const [from, to] = [before[counter], now[counter]];
  return from === undefined || to === undefined || to < from ? null : to - from;
}

/** What a vehicle has done since midnight: its counters now, less what they were with the last fix of the days before. */
export function TodayFacts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const [now, timeZone] = [useNow(), useSelector(selectTimeZone)];
  const [today, midnight] = [dayOf(now, timeZone), startOfDay(now, timeZone).toISOString()];
  const newest = useNewestFix(deviceId);
  const before = useNewestFix(deviceId, { to: midnight });
  // What it did is in no fix: fleet hears of it once a minute.
  const meters = useDeviceMetersQuery({ id: deviceId }, { pollingInterval: usePolling(POLL_SECONDS) });
  const failed = [newest, before].find(({ error }) => error);
  if (failed)
    return <ErrorState title={t('today.failed')} error={failed.error} onRetry={() => void failed.refetch()} />;
  if (newest.isFetching || before.isFetching) return <Skeleton height={60} aria-busy="true" />;
  if (!newest.fix || Date.parse(newest.fix.recorded_at) < Date.parse(midnight))
    return <Text c="dimmed">{t('today.nothing')}</Text>;
  if (!before.fix) return <Text c="dimmed">{t('today.first')}</Text>;
  const distance = between(before.fix, newest.fix, 'odometer');
  const engine = between(before.fix, newest.fix, 'engine_seconds');
  const did = meters.currentData?.days.find(({ day }) => day === today);
  const times = [
    { label: t('today.moving'), seconds: did?.moving_seconds },
    { label: t('today.idle'), seconds: did?.idle_seconds },
    { label: t('today.parked'), seconds: did?.parked_seconds },
  ];
  return (
    <Facts>
      <Fact label={t('today.distance')}>{distance !== null && formats.distance(distance)}</Fact>
      <Fact label={t('today.engine')}>{engine !== null && formats.duration(engine)}</Fact>
      {times.map(({ label, seconds }) => (
        <Fact key={label} label={label}>
          {typeof seconds === 'number' && formats.duration(seconds)}
        </Fact>
      ))}
    </Facts>
  );
}
