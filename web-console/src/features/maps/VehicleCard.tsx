import { Button, CloseButton } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled, IconPlayerPlay, IconRoute } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import type { LiveDevice } from '@/live/liveDevice';
import type { LivePosition } from '@/live/position';
import { useLiveDevice } from '@/live/useLive';
import { useDeviceMetersQuery } from '@/api/api';
import { vehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { playbackPath } from '@/lib/address';
import { selectPerson } from '@/session/sessionSlice';
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
  const person = useSelector(selectPerson);
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
        <CloseButton size="sm" onClick={onClose} aria-label={t('common:action.close')} />
      </header>
      {device?.inactive && <p className={classes.note}>{t('card.inactive')}</p>}
      {device && position ? (
        <Facts device={device} position={position} now={now} state={t(`state.${state}`)} />
      ) : (
        <p className={classes.note}>{device === null ? t('card.gone') : t('card.noPosition')}</p>
      )}
      <footer>
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
          {can('position:history', person) && (
            <Button
              size="xs"
              variant={track.shown ? 'filled' : 'light'}
              fullWidth
              loading={track.loading}
              aria-pressed={track.shown}
              leftSection={<IconRoute size={16} />}
              onClick={track.toggle}
            >
              {t('track.show')}
            </Button>
          )}
        </div>
        {can('position:history', person) && (
          <Button
            component={Link}
            to={playbackPath(deviceId)}
            size="xs"
            variant="subtle"
            fullWidth
            className={classes.playback}
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          >
            {t('common:nav.playback')}
          </Button>
        )}
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
  device: LiveDevice;
  position: LivePosition;
  now: number;
  state: string;
}

function Facts({ device, position, now, state }: FactsProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const since = position.motionSince === null ? null : formats.duration((now - position.motionSince) / 1000);
  const percent = (value: number) => `${formats.number(value)} %`;
  const charge = (value: number) =>
    position.charging ? t('fact.charging', { percent: percent(value) }) : percent(value);
  const { name, vehicleCode, driver } = device;
  return (
    <dl className={classes.facts}>
      <Fact label={t('fact.state')}>{since ? t('fact.stateSince', { state, duration: since }) : state}</Fact>
      <Fact label={t('fact.speed')}>{t('speed', { speed: formats.number(position.speed) })}</Fact>
      {vehicleCode && vehicleCode !== name && <Fact label={t('fact.plate')}>{vehicleCode}</Fact>}
      {driver && <Fact label={t('fact.driver')}>{driver}</Fact>}
      {position.alarm && <Fact label={t('fact.alarm')}>{position.alarm}</Fact>}
      {position.ignition !== null && (
        <Fact label={t('fact.ignition')}>{position.ignition ? t('fact.on') : t('fact.off')}</Fact>
      )}
      {position.battery !== null && <Fact label={t('fact.battery')}>{charge(position.battery)}</Fact>}
      {position.fuelPercent !== null && <Fact label={t('fact.fuel')}>{percent(position.fuelPercent)}</Fact>}
      {position.odometer !== null && <Fact label={t('fact.odometer')}>{formats.distance(position.odometer)}</Fact>}
      <EngineHours deviceId={device.id} />
      {position.satellites !== null && <Fact label={t('fact.satellites')}>{formats.number(position.satellites)}</Fact>}
      <Fact label={t('fact.time')} wide>
        <TimeAgo at={position.recordedAt} />
        <span className={classes.exact}>{formats.dateTime(position.recordedAt)}</span>
      </Fact>
      <Fact label={t('fact.place')} wide>
        {formats.number(position.lat, 5)}; {formats.number(position.lng, 5)}
      </Fact>
    </dl>
  );
}

/** They come with no fix: fleet hears of them once a minute. */
function EngineHours({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const maySee = can('device:list', useSelector(selectPerson));
  const { currentData } = useDeviceMetersQuery({ id: deviceId }, { skip: !maySee });
  const seconds = currentData?.engine_seconds;
  if (typeof seconds !== 'number') return null;
  return <Fact label={t('fact.engineHours')}>{t('fact.hours', { hours: formats.number(seconds / 3_600, 1) })}</Fact>;
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classes.fact} data-wide={wide}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
