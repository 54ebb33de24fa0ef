import { useEffect, useState } from 'react';
import { useFormats } from '@/i18n/useFormats';
import { runningTime } from './elapsed';

const TICK_MS = 1_000;

/** For how long an alarm has been standing, counted on with each second. */
export function RunningTime({ since }: { since: string }) {
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={since} title={formats.dateTime(since)} className="tabular">
      {runningTime(since, now, formats.duration)}
    </time>
  );
}
