import { useTranslation } from 'react-i18next';
import { useFlash } from '@/components/useFlash';
import { useNow } from '@/lib/useNow';
import { FollowButton, type Following } from './FollowButton';
import classes from './Live.module.css';
import { sharedState } from './sharedState';
import { Until } from './Until';
import { VehicleFacts } from './VehicleFacts';
import type { SharedVehicle } from './visit';

interface VehicleListProps extends Following {
  vehicles: SharedVehicle[];
  selected: number | null;
  onSelect: (number: number) => void;
  expiresAt: string;
}

/** The vehicles of a link beside the map. */
export function VehicleList({ vehicles, selected, onSelect, expiresAt, ...following }: VehicleListProps) {
  const { t } = useTranslation('share');
  return (
    <section className={classes.panel} aria-label={t('vehicles')}>
      <ul className={classes.list}>
        {vehicles.map((vehicle) => (
          <Row
            key={vehicle.number}
            vehicle={vehicle}
            selected={vehicle.number === selected}
            onSelect={() => onSelect(vehicle.number)}
            {...following}
          />
        ))}
      </ul>
      <Until expiresAt={expiresAt} />
    </section>
  );
}

interface RowProps extends Following {
  vehicle: SharedVehicle;
  selected: boolean;
  onSelect: () => void;
}

function Row({ vehicle, selected, onSelect, ...following }: RowProps) {
  const row = useFlash<HTMLLIElement>(sharedState(vehicle, useNow()));
  return (
    <li ref={row} className={classes.vehicle} data-selected={selected || undefined}>
      <button
        type="button"
        className={classes.choose}
        aria-pressed={selected}
        onClick={onSelect}
        disabled={!vehicle.position}
      >
        <VehicleFacts vehicle={vehicle} />
      </button>
      {selected && vehicle.position && <FollowButton {...following} />}
    </li>
  );
}
