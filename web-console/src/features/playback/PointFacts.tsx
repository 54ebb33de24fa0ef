import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useDeviceTrackQuery } from '@/api/calls/positions';
import { ErrorState } from '@/components/ErrorState';
import { FixFacts } from '@/components/FixFacts';
import type { PlaybackClock } from './track/clock';
import { indexAt, type Track } from './track/track';
import { useClockTime } from './useClock';

interface PointFactsProps {
  deviceId: string;
  track: Track;
  clock: PlaybackClock;
}

/** The clock has to stand this long, in milliseconds, before a fix is asked for. */
const STANDS_MS = 250;

/** Everything that the fix at the time of the clock says. */
export function PointFacts({ deviceId, track, clock }: PointFactsProps) {
  const { t } = useTranslation('playback');
  const at = track.time[Math.max(0, indexAt(track, useClockTime(clock)))] ?? 0;
  const [asked] = useDebouncedValue(at, STANDS_MS);
  const query = useDeviceTrackQuery({
    id: deviceId,
    from: new Date(asked).toISOString(),
    to: new Date(asked + 1).toISOString(),
  });
  const fix = query.data?.items?.[0];
  if (query.error) return <ErrorState title={t('failed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={240} />;
  if (!fix) return <Text c="dimmed">{t('point.gone')}</Text>;
  return <FixFacts fix={fix} />;
}
