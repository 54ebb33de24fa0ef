import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useLiveCounts, useLiveSettled } from '@/live/useLive';
import { VEHICLE_STATES } from '@/live/vehicleState';
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
      <LiveNote />
    </Tile>
  );
}
