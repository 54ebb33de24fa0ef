import { useCallback, useEffect, useRef } from 'react';
import { useMap } from 'react-leaflet';
import { live } from '@/live/live';
import { prefersReducedMotion } from './reducedMotion';

/** Keys that zoom, and by how much. */
const KEYS: Record<string, number> = { '+': 1, '=': 1, '-': -1, _: -1 };

/** Zooms by so many steps, around the selected vehicle while that is in view: it stays where it is. Keys do the same. */
export function useZoomAround(selected: string | null): (steps: number) => void {
  const map = useMap();
  const vehicle = useRef(selected);
  useEffect(() => {
    vehicle.current = selected;
  }, [selected]);

  const zoomBy = useCallback(
    (steps: number) => {
      const zoom = Math.max(map.getMinZoom(), Math.min(map.getMaxZoom(), map.getZoom() + steps));
      const position = vehicle.current === null ? null : live.device(vehicle.current)?.position;
      const animate = !prefersReducedMotion();
      if (position && map.getBounds().contains(position)) map.setZoomAround(position, zoom, { animate });
      else map.setZoom(zoom, { animate });
    },
    [map],
  );

  useEffect(() => {
    const container = map.getContainer();
    const onKey = (event: KeyboardEvent) => {
      const steps = KEYS[event.key];
      if (steps === undefined || event.target !== container || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      // Leaflet would zoom around the middle.
      event.stopPropagation();
      zoomBy(steps);
    };
    container.addEventListener('keydown', onKey);
    return () => container.removeEventListener('keydown', onKey);
  }, [map, zoomBy]);
  return zoomBy;
}
