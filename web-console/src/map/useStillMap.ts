import L from 'leaflet';
import { useCallback, useState } from 'react';
import { keepSize } from './leafletParts';

/** A map that is looked at: who wants to go about on one has the map itself. `attach` is for the element that it lies in. */
export function useStillMap(): [map: L.Map | null, attach: (element: HTMLDivElement) => () => void] {
  const [map, setMap] = useState<L.Map | null>(null);
  const attach = useCallback((element: HTMLDivElement) => {
    const made = L.map(element, {
      zoomControl: false,
      dragging: false,
      scrollWheelZoom: false,
      doubleClickZoom: false,
      touchZoom: false,
      boxZoom: false,
      keyboard: false,
    });
    made.attributionControl.setPrefix(false);
    const end = keepSize(made);
    setMap(made);
    return () => {
      end();
      setMap(null);
      made.remove();
    };
  }, []);
  return [map, attach];
}
