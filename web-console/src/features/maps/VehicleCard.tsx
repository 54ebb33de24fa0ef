import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowLeft,
  IconCurrentLocation,
  IconCurrentLocationFilled,
  IconPlayerPlay,
  IconRoute,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { playbackPath } from '@/lib/address';
import { lazyPart } from '@/lib/lazyPart';
import { useFocusFromList } from './useFocusFromList';
import { useLiveDevice } from '@/live/useLive';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { TrackNote } from './TrackNote';
import type { TracksOfToday } from './useTracksOfToday';
import { VehicleFacts } from './VehicleFacts';
import { VehicleMenu } from './VehicleMenu';
import classes from './VehicleCard.module.css';

const StandingAlarms = lazyPart(async () => (await import('@/components/alarms/StandingAlarms')).StandingAlarms);

interface VehicleCardProps {
  deviceId: string;
  track: TracksOfToday;
  following: boolean;
  onFollow: () => void;
  onClose: () => void;
}

/** What is known of the vehicle that is opened, in the place of the list. */
export function VehicleCard({ deviceId, track, following, onFollow, onClose }: VehicleCardProps) {
  const { t } = useTranslation('maps');
  const device = useLiveDevice(deviceId);
  const back = useFocusFromList<HTMLButtonElement>(deviceId);
  const isGone = device === null;
  const name = isGone ? t('card.goneTitle') : (device?.name ?? '');
  const position = device?.position ?? null;
  const { vehicleCode = '' } = device ?? {};
  return (
    <article
      className={classes.card}
      aria-label={name}
      data-testid="vehicle-card"
      data-state={device?.state}
      data-lat={position?.lat}
      data-lng={position?.lng}
    >
      <header className={classes.head}>
        <ActionIcon ref={back} size={36} onClick={onClose} aria-label={t('card.back')} title={t('card.back')}>
          <IconArrowLeft size={18} aria-hidden="true" />
        </ActionIcon>
        <div className={classes.names}>
          <h2 className={classes.name}>{name}</h2>
          {vehicleCode !== name && <p className={classes.code}>{vehicleCode}</p>}
        </div>
        {device && <VehicleMenu deviceId={deviceId} name={name} />}
      </header>
      <div className={classes.body}>
        {isGone && (
          <p className={classes.note} role="status">
            {t('card.gone')}
          </p>
        )}
        {device?.alarms && <StandingAlarms deviceId={deviceId} alarms={device.alarms} />}
        {device?.inactive && <p className={classes.note}>{t('card.inactive')}</p>}
        {device && <VehicleFacts device={device} />}
      </div>
      {device && <Acts deviceId={deviceId} placed={position !== null} {...{ track, following, onFollow }} />}
    </article>
  );
}

interface ActsProps extends Omit<VehicleCardProps, 'onClose'> {
  /** Whether it is known where the vehicle is. */
  placed: boolean;
}

/** What the map can do with it. */
function Acts({ deviceId, track, following, onFollow, placed }: ActsProps) {
  const { t } = useTranslation('maps');
  const seesHistory = can('position:history', useSelector(selectPerson));
  const FollowIcon = following ? IconCurrentLocationFilled : IconCurrentLocation;
  return (
    <footer className={classes.foot}>
      <div className={classes.acts}>
        <Button
          size="xs"
          variant={following ? 'filled' : 'light'}
          disabled={!placed}
          aria-pressed={following}
          leftSection={<FollowIcon size={16} aria-hidden="true" />}
          onClick={onFollow}
        >
          {following ? t('follow.active') : t('follow.start')}
        </Button>
        {seesHistory && (
          <>
            <Button
              size="xs"
              variant={track.shown ? 'filled' : 'light'}
              loading={track.loading}
              aria-pressed={track.shown}
              leftSection={<IconRoute size={16} aria-hidden="true" />}
              onClick={track.toggle}
            >
              {t('track.show')}
            </Button>
            <Button
              component={Link}
              to={playbackPath(deviceId)}
              size="xs"
              variant="light"
              leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            >
              {t('chosen.history')}
            </Button>
          </>
        )}
      </div>
      <TrackNote track={track} />
    </footer>
  );
}
