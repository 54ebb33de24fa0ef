import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';

/** An instant in a list whose header names the zone; all of it on hover. */
export function Moment({ at }: { at: string }) {
  const formats = useFormats();
  const now = useNow();
  return (
    <time dateTime={at} title={formats.dateTime(at)} className="tabular">
      {formats.moment(at, now)}
    </time>
  );
}
