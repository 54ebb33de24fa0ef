import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { useLivePosition } from '@/live/useLive';
import { USUAL_AGES } from '@/live/vehicleState';
import classes from './DayRibbon.module.css';
import { RIBBON_MOTIONS, ribbonOf, type RibbonSpan } from './ribbon';
import type { TrackToday } from './useTrackToday';

/** Where hours are written, as parts of the day. */
const HOURS = [0, 6, 12, 18, 24];

/** A day as a ribbon: when a vehicle moved, stood with its engine on, and was parked. */
export function DayRibbon({ deviceId, today: { from, to, fixes } }: { deviceId: string; today: TrackToday }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const now = useNow();
  const { ages = USUAL_AGES } = useLivePosition(deviceId) ?? {};
  const spans = ribbonOf(fixes, now, ages.offlineAfterMs);
  if (spans.length === 0) return null;
  const parts = RIBBON_MOTIONS.map((motion) => [motion, spans.filter((span) => span.motion === motion)] as const);
  const told = parts
    .filter(([, ofIt]) => ofIt.length > 0)
    .map(([motion, ofIt]) => `${t(`today.${motion}`)} ${formats.duration(secondsOf(ofIt))}`);
  return (
    <div className={classes.ribbon} role="img" aria-label={t('today.ribbon', { told: told.join(', ') })}>
      <svg viewBox={`0 0 ${to - from} 1`} preserveAspectRatio="none" className={classes.day} aria-hidden="true">
        {parts.map(([motion, ofIt]) => (
          <path key={motion} data-motion={motion} d={pathOf(ofIt, from)} />
        ))}
      </svg>
      <div className={classes.hours} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </div>
    </div>
  );
}

const secondsOf = (spans: readonly RibbonSpan[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0) / 1_000;

/** A box for each, as high as the ribbon. */
const pathOf = (spans: readonly RibbonSpan[], begin: number) =>
  spans.map(({ from, to }) => `M${from - begin} 0H${to - begin}V1H${from - begin}Z`).join('');
