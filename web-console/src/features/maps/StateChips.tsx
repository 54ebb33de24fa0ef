import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useLiveCounts } from '@/live/useLive';
import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';
import classes from './StateChips.module.css';

interface StateChipsProps {
  /** Null when every state is shown. */
  chosen: VehicleState[] | null;
  onChange: (chosen: VehicleState[] | null) => void;
}

/** How many vehicles are in each state; pressing one shows only those, on the map as well. */
export function StateChips({ chosen, onChange }: StateChipsProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const counts = useLiveCounts();
  const toggle = (state: VehicleState) => {
    const rest = (chosen ?? []).filter((other) => other !== state);
    const next = chosen?.includes(state) ? rest : [...rest, state];
    onChange(next.length === 0 ? null : next);
  };
  return (
    <div role="group" aria-label={t('panel.states')} className={classes.chips}>
      {VEHICLE_STATES.map((state) => (
        <button
          key={state}
          type="button"
          className={classes.chip}
          aria-pressed={chosen?.includes(state) ?? false}
          onClick={() => toggle(state)}
        >
          <VehicleStateMark state={state} />
          {t(`state.${state}`)}
          <span className={classes.count}>{formats.number(counts[state])}</span>
        </button>
      ))}
    </div>
  );
}
