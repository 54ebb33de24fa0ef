import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFlash } from '@/components/useFlash';
import { useNow } from '@/lib/useNow';
import { FollowButton, type Following } from './FollowButton';
import classes from './Live.module.css';
import { sharedState } from './sharedState';
import { Until } from './Until';
import { VehicleFacts } from './VehicleFacts';
import type { SharedVehicle } from './visit';

// The map is there before; and without the names of towns there is everything else.
const NearTown = lazy(async () => {
  const part = await import('./NearTown').catch(() => null);
  return { default: part?.NearTown ?? (() => null) };
});

interface VehicleCardProps extends Following {
  vehicle: SharedVehicle;
  expiresAt: string;
}

/** The only vehicle of a link, over its map. */
export function VehicleCard({ vehicle, expiresAt, ...following }: VehicleCardProps) {
  const { t } = useTranslation('share');
  const card = useFlash<HTMLElement>(sharedState(vehicle, useNow()));
  const { position } = vehicle;
  return (
    <section ref={card} className={classes.card} aria-label={t('vehicles')}>
      <div className={classes.facts}>
        <VehicleFacts vehicle={vehicle} />
      </div>
      <p className={classes.place}>
        <Suspense fallback={null}>{position && <NearTown lat={position.lat} lng={position.lng} />}</Suspense>
      </p>
      {position && <FollowButton {...following} />}
      <Until expiresAt={expiresAt} />
    </section>
  );
}
