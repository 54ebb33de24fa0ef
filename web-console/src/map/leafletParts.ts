import L from 'leaflet';
import { useCallback, useEffect, useState } from 'react';

/** What a map shows at first. */
export const INDONESIA: L.LatLngBoundsLiteral = [
  [-10.5, 95],
  [5.5, 141],
];

/** Keeps a map as large as its element: it does not notice by itself that a panel or the window gave it another size. */
export function keepSize(map: L.Map): () => void {
  const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  observer.observe(map.getContainer());
  return () => observer.disconnect();
}

/** A map in the element that `attach` is for; null until it is there. The options stay the same. */
export function useLeafletMap(
  options: L.MapOptions,
): [map: L.Map | null, attach: (element: HTMLDivElement) => () => void] {
  const [map, setMap] = useState<L.Map | null>(null);
  const attach = useCallback(
    (element: HTMLDivElement) => {
      const made = L.map(element, { zoomControl: false, ...options });
      made.attributionControl.setPrefix(false);
      const end = keepSize(made);
      setMap(made);
      return () => {
        end();
        setMap(null);
        made.remove();
      };
    },
    [options],
  );
  return [map, attach];
}

const waiting = new WeakMap<L.Map, () => void>();

/**
 * Shows an area, as soon as the map has a size: one that stands in a part that is hidden has none, and would show a place
 * somewhere in it from as near as it can. Of several areas that wait, the last counts.
 */
export function fitArea(map: L.Map, area: L.LatLngBoundsExpression, options: L.FitBoundsOptions): void {
  const before = waiting.get(map);
  if (before) map.off('resize', before);
  const fit = () => {
    const { x, y } = map.getSize();
    if (x === 0 || y === 0) return;
    map.off('resize', fit);
    waiting.delete(map);
    map.fitBounds(area, options);
  };
  waiting.set(map, fit);
  map.on('resize', fit);
  fit();
}

/** Says how far a stretch of the map is, in the corner of the attribution and above it. */
export function useScale(map: L.Map | null): void {
  useEffect(() => {
    if (!map) return;
    const control = L.control.scale({ position: 'bottomright', imperial: false }).addTo(map);
    return () => void control.remove();
  }, [map]);
}

/** Buttons to come nearer and to go away; on a map that is there. */
export function useZoomControl(map: L.Map | null, zoomInTitle: string, zoomOutTitle: string): void {
  useEffect(() => {
    if (!map) return;
    const control = L.control.zoom({ position: 'topright', zoomInTitle, zoomOutTitle }).addTo(map);
    return () => void control.remove();
  }, [map, zoomInTitle, zoomOutTitle]);
}
