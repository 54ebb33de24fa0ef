import { ActionIcon, Select, Switch } from '@mantine/core';
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { RATES, type PlaybackClock } from './track/clock';
import { useClockTime, usePlaying } from './useClock';
import classes from './Playback.module.css';

interface PlaybackControlsProps {
  clock: PlaybackClock;
  /** From the first fix to the last, milliseconds since 1970. */
  from: number;
  to: number;
  rate: number;
  onRate: (rate: number) => void;
  skipStops: boolean;
  onSkipStops: (skip: boolean) => void;
  /** The beginnings of trips and stops, to go to from one to the next. */
  steps: readonly number[];
}

/** Plays, stops, goes to a time. */
export function PlaybackControls(props: PlaybackControlsProps) {
  const { t } = useTranslation('playback');
  const { clock, from, to, steps } = props;
  const formats = useFormats();
  const playing = usePlaying(clock);
  const now = useClockTime(clock);
  const before = () => clock.seek(steps.findLast((begin) => begin < clock.now - 1_000) ?? from);
  const after = () => clock.seek(steps.find((begin) => begin > clock.now) ?? to);
  const step = (name: 'before' | 'after', Shape: Icon, act: () => void) => (
    <ActionIcon
      variant="default"
      size={36}
      onClick={act}
      aria-label={t(`controls.${name}`)}
      title={t(`controls.${name}`)}
    >
      <Shape size={16} aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <div className={classes.controls} role="group" aria-label={t('controls.label')}>
      <div className={classes.buttons}>
        {step('before', IconPlayerSkipBackFilled, before)}
        <ActionIcon
          variant="filled"
          color="brand"
          size={36}
          onClick={() => (playing ? clock.pause() : clock.play())}
          aria-label={t(playing ? 'controls.pause' : 'controls.play')}
          title={t(playing ? 'controls.pause' : 'controls.play')}
        >
          {playing ? (
            <IconPlayerPauseFilled size={18} aria-hidden="true" />
          ) : (
            <IconPlayerPlayFilled size={18} aria-hidden="true" />
          )}
        </ActionIcon>
        {step('after', IconPlayerSkipForwardFilled, after)}
      </div>
      <time className={`tabular ${classes.time}`} dateTime={new Date(now).toISOString()} data-testid="playback-time">
        {formats.dateTime(now)}
      </time>
      <Select
        className={classes.rate}
        size="xs"
        aria-label={t('controls.rate')}
        allowDeselect={false}
        data={RATES.map((rate) => ({
          value: String(rate),
          label: t('controls.times', { formatted: formats.number(rate) }),
        }))}
        value={String(props.rate)}
        onChange={(rate) => props.onRate(Number(rate))}
      />
      <Switch
        size="xs"
        label={t('controls.skipStops')}
        checked={props.skipStops}
        onChange={({ currentTarget }) => props.onSkipStops(currentTarget.checked)}
      />
    </div>
  );
}
