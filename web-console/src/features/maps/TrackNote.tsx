import { useTranslation } from 'react-i18next';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import type { TracksOfToday } from './useTracksOfToday';
import classes from './VehicleCard.module.css';

/** What came of the tracks that were asked for. */
export function TrackNote({ track }: { track: TracksOfToday }) {
  const { t } = useTranslation('maps');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const { shown, loading, error, points } = track;
  if (!shown || loading) return null;
  const words = { count: points, formatted: formats.number(points) };
  const text = error ? errorText(error, common) : points > 0 ? t('track.points', words) : t('track.empty');
  return (
    <p role="status" className={classes.note}>
      {text}
    </p>
  );
}
