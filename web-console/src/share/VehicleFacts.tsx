import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { formatsFor } from '@/i18n/format';
import { useNow } from '@/lib/useNow';
import classes from './Live.module.css';
import { sharedState } from './sharedState';
import type { SharedVehicle } from './visit';

/** What a vehicle does, how fast, and how old that is. */
export function VehicleFacts({ vehicle }: { vehicle: SharedVehicle }) {
  const { t, i18n } = useTranslation('share');
  const formats = formatsFor(i18n.language);
  const now = useNow();
  const state = sharedState(vehicle, now);
  const { name, position } = vehicle;
  return (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.state}>
        <VehicleStateMark state={state} />
        {t(`state.${state}`)}
      </span>
      <span className={classes.age}>{position ? formats.age(position.recorded_at, now) : t('silent')}</span>
      {position && state !== 'offline' && (
        <span className={classes.speed} data-testid="speed">
          {formats.speed(position.speed ?? 0)}
        </span>
      )}
    </>
  );
}
