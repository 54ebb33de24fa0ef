import { Loader } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import classes from './Playback.module.css';
import type { LoadedTrack } from './useTracks';

interface TrackStatusProps {
  tracks: readonly (readonly [string, LoadedTrack])[];
  /** That have come of those on their way. */
  bytes: number;
  names: Record<string, string>;
  onRetry: () => void;
}

/** What stands in the way of seeing a track: nothing chosen, nothing there yet, nothing at all, or an error. */
export function TrackStatus({ tracks, bytes, names, onRetry }: TrackStatusProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const note = (text: string, loads = false) => (
    <p role="status" className={classes.status}>
      {loads && <Loader size={14} />}
      {text}
    </p>
  );
  if (tracks.length === 0) {
    return (
      <div className={classes.cover}>
        <EmptyState icon={IconPlayerPlay} title={t('empty.title')} text={t('empty.text')} />
      </div>
    );
  }
  const failed = tracks.map(([, loaded]) => loaded).find((loaded) => loaded.status === 'failed');
  if (failed?.status === 'failed') {
    return (
      <div className={classes.cover}>
        <ErrorState title={t('failed')} error={failed.error} onRetry={onRetry} />
      </div>
    );
  }
  if (tracks.some(([, { status }]) => status === 'loading')) {
    return note(bytes > 0 ? t('loadingBytes', { size: formats.bytes(bytes) }) : t('loading'), true);
  }
  const without = tracks.filter(([, loaded]) => loaded.status === 'ready' && loaded.track.time.length === 0);
  if (without.length === 0) return null;
  return note(t('none', { names: without.map(([id]) => names[id] ?? '…').join(', ') }));
}
