import L from 'leaflet';
import { LeafletVehicleLayer } from './leafletVehicleLayer';

/** It is not waited for longer than this. */
const LONGEST_MS = 4_000;
/** A map that has just been given another size or other colours has not begun to draw yet. */
const MIN_WAIT_MS = 300;

/** Resolves once a map has the tiles that it asked for and shows the vehicles of its present view; after some seconds in any case. */
export function whenDrawn(map: L.Map): Promise<void> {
  const begin = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const waited = performance.now() - begin;
      if (waited >= LONGEST_MS || (waited >= MIN_WAIT_MS && !isDrawing(map))) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

function isDrawing(map: L.Map): boolean {
  let drawing = false;
  map.eachLayer((layer) => {
    if (layer instanceof L.GridLayer) drawing ||= layer.isLoading() === true;
    else if (layer instanceof LeafletVehicleLayer) drawing ||= !layer.isDrawn();
  });
  return drawing;
}
