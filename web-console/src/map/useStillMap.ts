import type { MapOptions } from 'leaflet';
import { useLeafletMap } from './leafletParts';

const STILL: MapOptions = {
  dragging: false,
  scrollWheelZoom: false,
  doubleClickZoom: false,
  touchZoom: false,
  boxZoom: false,
  keyboard: false,
};

/** A map that is looked at: who wants to go about on one has the map itself. */
export const useStillMap = () => useLeafletMap(STILL);
