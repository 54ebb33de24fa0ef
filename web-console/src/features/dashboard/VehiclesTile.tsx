import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import type { StateCounts } from '@/live/liveDevice';
import { useLiveCounts, useLiveSettled } from '@/live/useLive';
import { VEHICLE_STATES } from '@/live/vehicleState';
import classes from './Dashboard.module.css';
import { Figures } from './Figures';
import { LiveNote } from './LiveNote';
import { Tile } from './Tile';

/** How many vehicles are in each state now, as the map counts them, whose list each number opens. */
export function VehiclesTile() {
  const { t } = useTranslation(['dashboard', 'maps']);
  const counts = useLiveCounts();
  const settled = useLiveSettled();
  return (
    <Tile tile="vehicles" more="/maps">
      <Figures
        label={t('tile.vehicles')}
        figures={VEHICLE_STATES.map((state) => ({
          key: state,
          label: t(`maps:state.${state}`),
          value: settled ? counts[state] : undefined,
          to: `/maps?states=${state}`,
          mark: <VehicleStateMark state={state} />,
          urgent: state === 'alarm',
        }))}
      />
      <StateBar counts={settled ? counts : null} />
      <LiveNote />
    </Tile>
  );
}

/** The share of each state, for the eye: the numbers above say the same. */
function StateBar({ counts }: { counts: StateCounts | null }) {
  return (
    <div className={classes.shares} aria-hidden="true">
      {counts &&
        VEHICLE_STATES.filter((state) => counts[state] > 0).map((state) => (
          <span key={state} className={classes.share} data-state={state} style={{ flexGrow: counts[state] }} />
        ))}
    </div>
  );
}
