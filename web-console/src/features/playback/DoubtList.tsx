import { UnstyledButton } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { DOUBTS_MAX, doubtsOf } from './doubts';
import classes from './Playback.module.css';
import type { PlaybackClock } from './track/clock';
import type { Track } from './track/track';

/** The fixes of a track that cannot be believed and count for nothing, the last ones; each leads to its time. */
export function DoubtList({ track, clock }: { track: Track; clock: PlaybackClock }) {
  const { t } = useTranslation(['playback', 'devicePage']);
  const formats = useFormats();
  const doubts = useMemo(() => doubtsOf(track), [track]);
  if (doubts.length === 0) return null;
  const earlier = doubts.length - DOUBTS_MAX;
  return (
    <section aria-label={t('doubts.title')}>
      <h2 className={classes.day}>{t('doubts.title')}</h2>
      <ol className={classes.list}>
        {doubts.slice(-DOUBTS_MAX).map(({ at, mark, count }) => (
          <li key={at}>
            <UnstyledButton className={classes.segment} onClick={() => clock.seek(at)}>
              <IconHelpCircle size={18} aria-hidden="true" className={classes.shape} />
              <span className={classes.what}>
                <span className={classes.kind}>
                  {t('doubts.run', { count, formatted: formats.number(count), mark: t(`devicePage:mark.${mark}`) })}
                </span>
                <span className="tabular">{formats.dateTime(at)}</span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {earlier > 0 && <p>{t('doubts.more', { count: earlier, formatted: formats.number(earlier) })}</p>}
    </section>
  );
}
