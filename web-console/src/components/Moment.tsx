import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { momentsFor } from '@/i18n/moments';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { selectTimeZone } from '@/session/sessionSlice';

/** An instant in a list whose header names the zone; all of it on hover. */
export function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const formats = useFormats();
  const moments = momentsFor(i18n.language, useSelector(selectTimeZone));
  const now = useNow();
  return (
    <time dateTime={at} title={formats.dateTime(at)} className="tabular">
      {moments(at, now)}
    </time>
  );
}
