import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { SPEED_COLORS, VEHICLE_COLORS, type Scheme } from '@/theme/tokens';
import { SPEED_STEPS } from './lines';
import classes from './Playback.module.css';
import type { Played } from './PlaybackPage';
import type { Colouring } from './usePlaybackAddress';

interface LegendProps {
  /** Null where each vehicle has a colour. */
  colouring: Colouring | null;
  played: readonly Played[];
  scheme: Scheme;
  /** How fast the vehicle may go, km/h; 0 for any speed. */
  limit: number;
}

/** What the colours mean. */
export function Legend({ colouring, played, scheme, limit }: LegendProps) {
  const { t } = useTranslation(['playback', 'maps']);
  const formats = useFormats();
  const number = (value: number) => formats.number(value);
  const items = (): (readonly [string, string])[] => {
    if (colouring === null) return played.map(({ name, color }) => [color, name]);
    if (colouring === 'trip') return [];
    if (colouring === 'state') {
      const states = VEHICLE_COLORS[scheme];
      return (['moving', 'idle', 'parked'] as const).map((state) => [states[state], t(`maps:state.${state}`)]);
    }
    const steps = SPEED_COLORS[scheme].map((color, place) => {
      const [low, high] = [SPEED_STEPS[place - 1], SPEED_STEPS[place]];
      if (low === undefined) return [color, `< ${number(high ?? 0)}`] as const;
      return [color, high === undefined ? `≥ ${number(low)}` : `${number(low)}–${number(high)}`] as const;
    });
    if (limit === 0) return steps;
    return [...steps, [VEHICLE_COLORS[scheme].alarm, t('overLimit', { formatted: number(limit) })]];
  };
  const shown = items();
  if (shown.length === 0) return null;
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {shown.map(([color, text], place) => (
        <li key={place}>
          <span className={classes.swatch} style={{ background: color }} />
          {text}
        </li>
      ))}
      {colouring === 'speed' && <li className={classes.unit}>{t('unit.speed')}</li>}
    </ul>
  );
}
