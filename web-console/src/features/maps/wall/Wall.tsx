import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import type { LatLng } from '@/map/FleetMap';
import { usePointerMoves } from './usePointerMoves';
import { useWakeLock } from './useWakeLock';
import { useWallView } from './useWallView';
import classes from './Wall.module.css';
import { WallAlarms } from './WallAlarms';
import { WallStrip } from './WallStrip';

interface WallProps {
  /** These are the same while the map is. */
  showAll: () => void;
  flyTo: (place: LatLng) => void;
  /** Whether alarms stand beside the map. */
  alarms: boolean;
  onLeave: () => void;
}

/** What stands around the map where a room sees it from afar, and nobody is at a keyboard. */
export function Wall({ showAll, flyTo, alarms, onLeave }: WallProps) {
  const { t } = useTranslation('maps');
  const moves = usePointerMoves();
  const shown = useWallView({ showAll, flyTo });
  const wall = useFocusOnMount<HTMLElement>();
  useWakeLock();
  useEffect(() => {
    // A browser takes Escape for itself where the page fills the screen.
    const ended = () => {
      if (!document.fullscreenElement) onLeave();
    };
    document.addEventListener('fullscreenchange', ended);
    return () => document.removeEventListener('fullscreenchange', ended);
  }, [onLeave]);
  return (
    <section
      ref={wall}
      tabIndex={-1}
      aria-label={t('wall.label')}
      className={classes.wall}
      data-still={!moves || undefined}
      data-alarms={alarms || undefined}
      data-wall-part
    >
      <WallStrip />
      <div className={classes.map} data-alarm={shown !== null || undefined} data-testid="wall-map">
        <Button variant="default" size="md" className={classes.leave} onClick={onLeave}>
          {t('wall.leave')}
        </Button>
      </div>
      {alarms && <WallAlarms shownId={shown?.id} />}
    </section>
  );
}
