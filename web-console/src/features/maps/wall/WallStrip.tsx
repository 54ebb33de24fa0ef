import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { useLiveCounts } from '@/live/useLive';
import { VEHICLE_STATES } from '@/live/vehicleState';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Wall.module.css';

/** Whose fleet it is, what time it is, and how many vehicles do what. */
export function WallStrip() {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const counts = useLiveCounts();
  const now = useNow();
  const company = useSelector(selectPerson)?.tenantName ?? 'Armada';
  return (
    <header className={classes.strip}>
      <span className={classes.company}>{company}</span>
      <time className={classes.clock} dateTime={new Date(now).toISOString()}>
        {formats.hour(now)}
      </time>
      <ul className={classes.counts} aria-label={t('panel.states')}>
        {VEHICLE_STATES.map((state) => (
          <li key={state} className={classes.count} data-state={state} data-none={counts[state] === 0 || undefined}>
            <VehicleStateMark state={state} />
            <span className={classes.figure}>{formats.number(counts[state])}</span>
            <span className={classes.state}>{t(`state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </header>
  );
}
