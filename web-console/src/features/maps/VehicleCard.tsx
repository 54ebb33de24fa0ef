import { Button, CloseButton } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled, IconPlayerPlay, IconRoute } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { lazyPart } from '@/lib/lazyPart';
import { useNow } from '@/lib/useNow';
import { useLiveDevice } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { playbackPath } from '@/lib/address';
import { selectPerson } from '@/session/sessionSlice';
import { TrackNote } from './TrackNote';
import type { TracksOfToday } from './useTracksOfToday';
import { VehicleFacts } from './VehicleFacts';
import { VehicleMenu } from './VehicleMenu';
import classes from './VehicleCard.module.css';

const StandingAlarms = lazyPart(async () => (await import('./StandingAlarms')).StandingAlarms);

interface VehicleCardProps {
  deviceId: string;
  track: TracksOfToday;
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
      {position?.alarms && <StandingAlarms deviceId={deviceId} alarms={position.alarms} />}
      {device?.inactive && <p className={classes.note}>{t('card.inactive')}</p>}
      {device && position ? (
        <VehicleFacts device={device} position={position} />
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
        <div className={classes.acts}>
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
          {device && <VehicleMenu deviceId={deviceId} name={name} />}
        </div>
        <TrackNote track={track} />
      </footer>
    </article>
  );
}
