import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconAdjustments, IconReplace } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeviceMetersQuery } from '@/api/calls/devices';
import type { DeviceMeters as Meters, MeterSource } from '@/api/generated';
import type { Device } from '@/api/types';
import { usePolling } from '@/lib/usePolling';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ErrorState } from '../ErrorState';
import { TimeAgo } from '../TimeAgo';
import { CorrectMeters } from './CorrectMeters';
import { readFrom } from './figures';
import { MeterCorrections } from './MeterCorrections';
import { MeterDays } from './MeterDays';
import classes from './Meters.module.css';
import { ReplacedTrackers } from './ReplacedTrackers';
import { ReplaceTracker } from './ReplaceTracker';
import { useMeterWords } from './useMeterWords';

/** How often fleet hears of meters. */
const POLL_SECONDS = 60;

/** Odometer and engine hours of a device: what they show, what the last days came to, what was corrected, and its trackers. */
export function DeviceMeters({ device }: { device: Device }) {
  const { t } = useTranslation('meters');
  const [correcting, setCorrecting] = useState(false);
  const [replacing, setReplacing] = useState(false);
  const person = useSelector(selectPerson);
  const [mayCorrect, mayReplace] = [can('device:correct_meters', person), can('device:update', person)];
  const { data, error, refetch } = useDeviceMetersQuery(
    { id: device.id },
    { refetchOnMountOrArgChange: true, pollingInterval: usePolling(POLL_SECONDS) },
  );
  if (!data && error) return <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} aria-busy="true" />;
  return (
    <Stack gap="lg">
      <Now meters={data} />
      <Group gap="xs">
        {mayCorrect && (
          <Button
            variant="default"
            leftSection={<IconAdjustments size={16} aria-hidden="true" />}
            onClick={() => setCorrecting(true)}
          >
            {t('correct.action')}
          </Button>
        )}
        {mayReplace && (
          <Button
            variant="default"
            leftSection={<IconReplace size={16} aria-hidden="true" />}
            onClick={() => setReplacing(true)}
          >
            {t('replace.action')}
          </Button>
        )}
      </Group>
      <MeterDays meters={data} />
      <MeterCorrections device={device} mayUndo={mayCorrect} />
      <ReplacedTrackers device={device} mayWithdraw={mayReplace} />
      <ReplaceTracker device={device} opened={replacing} onClose={() => setReplacing(false)} />
      <CorrectMeters device={device} meters={data} opened={correcting} onClose={() => setCorrecting(false)} />
    </Stack>
  );
}

function Now({ meters }: { meters: Meters }) {
  const { t } = useTranslation('meters');
  const words = useMeterWords();
  return (
    <div className={classes.figures}>
      <Figure
        label={t('odometer')}
        value={words.distance(meters.odometer)}
        source={meters.odometer_source}
        saysItself={typeof meters.device_odometer === 'number'}
        at={meters.recorded_at}
      />
      <Figure
        label={t('engineHours')}
        value={words.hours(meters.engine_seconds)}
        source={meters.engine_hours_source}
        saysItself={typeof meters.device_engine_seconds === 'number'}
        at={meters.recorded_at}
      />
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  source: MeterSource;
  saysItself: boolean;
  at: string | null | undefined;
}

function Figure({ label, value, source, saysItself, at }: FigureProps) {
  const { t } = useTranslation('meters');
  return (
    <section className={classes.figure} aria-label={label}>
      <h3 className={classes.label}>{label}</h3>
      <p className={`tabular ${classes.value}`}>{value}</p>
      <p className={classes.note}>
        {t(`source.${readFrom(source, saysItself)}`)}
        {at && (
          <>
            {' · '}
            <TimeAgo at={at} />
          </>
        )}
      </p>
    </section>
  );
}
