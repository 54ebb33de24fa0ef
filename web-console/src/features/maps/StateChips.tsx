import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { FilterChips } from '@/components/FilterChips';
import { useLiveCounts } from '@/live/useLive';
import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';

interface StateChipsProps {
  /** Null when every state is shown. */
  chosen: VehicleState[] | null;
  onChange: (chosen: VehicleState[] | null) => void;
}

/** How many vehicles are in each state; pressing one shows only those, on the map as well. */
export function StateChips({ chosen, onChange }: StateChipsProps) {
  const { t } = useTranslation('maps');
  const counts = useLiveCounts();
  const toggle = (state: VehicleState) => {
    const rest = (chosen ?? []).filter((other) => other !== state);
    const next = chosen?.includes(state) ? rest : [...rest, state];
    onChange(next.length === 0 ? null : next);
  };
  return (
    <FilterChips
      label={t('panel.states')}
      widest={Object.values(counts).reduce((sum, count) => sum + count, 0)}
      chips={VEHICLE_STATES.map((state) => ({
        value: state,
        label: t(`state.${state}`),
        count: counts[state],
        mark: <VehicleStateMark state={state} />,
      }))}
      isPressed={(state) => chosen?.includes(state) ?? false}
      onPress={toggle}
    />
  );
}
