import type { VehicleState } from '@/live/vehicleState';
import classes from './VehicleStateMark.module.css';

/** The shape of a vehicle's state, as the map draws it. The word for it stands beside or in the label. */
export function VehicleStateMark({ state }: { state: VehicleState }) {
  return (
    <svg viewBox="-12 -12 24 24" width={16} height={16} aria-hidden="true" className={classes.mark} data-state={state}>
      {stateShape(state)}
    </svg>
  );
}

/** The same within another drawing, around its origin. */
export function stateShape(state: VehicleState) {
  switch (state) {
    case 'moving':
      return <path d="M0-11 8.5 9.5 0 5-8.5 9.5Z" fill="currentColor" />;
    case 'idle':
      return <circle r={7} fill="none" stroke="currentColor" strokeWidth={5} />;
    case 'parked':
      return <rect x={-8} y={-8} width={16} height={16} rx={3} fill="currentColor" />;
    case 'alarm':
      return <path d="M0-11 11 0 0 11-11 0Z" fill="currentColor" />;
    case 'no_data':
      return <circle r={8} fill="none" stroke="currentColor" strokeWidth={2.5} strokeDasharray="4 3" />;
    default:
      return <circle r={8} fill="none" stroke="currentColor" strokeWidth={2.5} />;
  }
}
