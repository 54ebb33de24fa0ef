import L from 'leaflet';
import { useEffect } from 'react';

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
