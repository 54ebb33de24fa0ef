import { Button, CloseButton } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled, IconRoute, IconRouteOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import type { LivePosition } from '@/live/position';
import { useLiveDevice } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import type { TrackOfToday } from './useTrackOfToday';
import classes from './VehicleCard.module.css';

interface VehicleCardProps {
  deviceId: string;
  track: TrackOfToday;
  following: boolean;
  onFollow: () => void;
  onClose: () => void;
}

/** What is known of the selected vehicle. */
export function VehicleCard({ deviceId, track, following, onFollow, onClose }: VehicleCardProps) {
  const { t } = useTranslation(['maps', 'common']);
  const device = useLiveDevice(deviceId);
  const position = device?.position ?? null;
  const name = device?.name ?? '';
  const now = useNow();
  const state = vehicleState(position, now);
  return (
    <article
      className={classes.card}
      aria-label={name}
      data-testid="vehicle-card"
      data-lat={position?.lat}
      data-lng={position?.lng}
    >
      <header className={classes.head}>
        <VehicleStateMark state={state} />
        <h2 className={classes.name}>{name}</h2>
        {device?.vehicleCode && device.vehicleCode !== name && (
          <span className={classes.code}>{device.vehicleCode}</span>
        )}
        <CloseButton size="sm" onClick={onClose} aria-label={t('common:action.close')} />
      </header>
      {position ? (
        <Facts position={position} driver={device?.driver ?? ''} now={now} state={t(`state.${state}`)} />
      ) : (
        <p className={classes.note}>{device === null ? t('card.gone') : t('card.noPosition')}</p>
      )}
      <footer className={classes.foot}>
        <div className={classes.acts}>
          <Button
            size="xs"
            variant={following ? 'filled' : 'light'}
            fullWidth
            disabled={!position}
            aria-pressed={following}
            leftSection={following ? <IconCurrentLocationFilled size={16} /> : <IconCurrentLocation size={16} />}
            onClick={onFollow}
          >
            {following ? t('follow.active') : t('follow.start')}
          </Button>
          <Button
            size="xs"
            variant="light"
            fullWidth
            loading={track.loading}
            aria-pressed={track.shown}
            leftSection={track.shown ? <IconRouteOff size={16} /> : <IconRoute size={16} />}
            onClick={track.toggle}
          >
            {track.shown ? t('track.hide') : t('track.show')}
          </Button>
        </div>
        <TrackNote track={track} />
      </footer>
    </article>
  );
}

function TrackNote({ track }: { track: TrackOfToday }) {
  const { t } = useTranslation(['maps', 'common']);
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  if (!track.shown || track.loading) return null;
  const text = track.error
    ? errorText(track.error, common)
    : track.points && track.points.length > 0
      ? t('track.points', { count: track.points.length, formatted: formats.number(track.points.length) })
      : t('track.empty');
  return (
    <p role="status" className={classes.note}>
      {text}
    </p>
  );
}

interface FactsProps {
  position: LivePosition;
  driver: string;
  now: number;
  state: string;
}

function Facts({ position, driver, now, state }: FactsProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const since = position.motionSince === null ? null : formats.duration((now - position.motionSince) / 1000);
  const percent = (value: number) => `${formats.number(value)} %`;
  return (
    <dl className={classes.facts}>
      <Fact label={t('fact.state')}>{since ? t('fact.stateSince', { state, duration: since }) : state}</Fact>
      <Fact label={t('fact.speed')}>{t('speed', { speed: formats.number(position.speed) })}</Fact>
      <Fact label={t('fact.time')}>
        <TimeAgo at={position.recordedAt} />
      </Fact>
      {driver && <Fact label={t('fact.driver')}>{driver}</Fact>}
      {position.alarm && <Fact label={t('fact.alarm')}>{position.alarm}</Fact>}
      {position.ignition !== null && (
        <Fact label={t('fact.ignition')}>{position.ignition ? t('fact.on') : t('fact.off')}</Fact>
      )}
      {position.battery !== null && <Fact label={t('fact.battery')}>{percent(position.battery)}</Fact>}
      {position.fuelPercent !== null && <Fact label={t('fact.fuel')}>{percent(position.fuelPercent)}</Fact>}
      {position.satellites !== null && (
        <Fact label={t('fact.satellites')}>{formats.number(position.satellites)}</Fact>
      )}
      <Fact label={t('fact.place')}>
        {formats.number(position.lat, 5)}; {formats.number(position.lng, 5)}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
