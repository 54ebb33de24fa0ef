import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';

/** How long ago something was; the exact time on hover. */
export function TimeAgo({ at }: { at: string | number }) {
  const formats = useFormats();
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.dateTime(at)}>
      {formats.age(at, now)}
    </time>
  );
}
