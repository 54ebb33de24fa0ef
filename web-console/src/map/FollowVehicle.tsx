import { useEffect, useRef } from 'react';
import { useMap } from 'react-leaflet';
import { latOf, lngOf } from '@/lib/mercator';
import { live } from '@/live/live';
import { centreBeside, CLOSE_ZOOM } from './centre';
import type { MapInset } from './FleetMap';
import { Glider } from './glider';

/** The map moves at most this often. */
const STEP_MS = 100;

/** Keeps a vehicle in the middle of what panels leave free, until somebody drags the map. */
export function FollowVehicle({ deviceId, inset, onEnd }: { deviceId: string; inset: MapInset; onEnd: () => void }) {
  const map = useMap();
  const covered = useRef(inset);
  const end = useRef(onEnd);
  useEffect(() => {
    covered.current = inset;
    end.current = onEnd;
  }, [inset, onEnd]);

  useEffect(() => {
    let movedAt = -Infinity;
    let later: ReturnType<typeof setTimeout> | undefined;
    let zoomed = map.getZoom() >= CLOSE_ZOOM;
    const glider = new Glider((x, y) => {
      const now = performance.now();
      if (now - movedAt < STEP_MS) {
        // Whatever comes too soon comes later: it may be the last word for a while.
        clearTimeout(later);
        later = setTimeout(() => glider.again(), STEP_MS);
        return;
      }
      movedAt = now;
      const zoom = zoomed ? map.getZoom() : CLOSE_ZOOM;
      zoomed = true;
      map.setView(centreBeside(map, [latOf(y), lngOf(x)], zoom, covered.current), zoom, { animate: false });
    });
    const stop = live.onGlide((glide) => {
      if (glide.id === deviceId) glider.follow(glide);
    });
    const cancel = () => end.current();
    map.on('dragstart', cancel);
    return () => {
      stop();
      map.off('dragstart', cancel);
      clearTimeout(later);
      glider.stop();
    };
  }, [map, deviceId]);
  return null;
}
