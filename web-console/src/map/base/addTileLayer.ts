import L from 'leaflet';
import type { TileSource } from '../tileSource';
import { layerOptions } from './layerOptions';

/** How a map is drawn of which there are no pictures. */
export interface DrawnLook {
  /** Colours of Protomaps. */
  flavor: 'light' | 'dark';
  /** Of names, where the file has them in it. */
  lang: string;
}

/** What comes of the tiles, one by one. */
export interface TileCallbacks {
  onRead: () => void;
  onFailed: () => void;
}

/** A tile may be missing at the edge of what a server has; so many in a row mean that there is none. */
const FAILURES_MAX = 4;

/** Lays the tiles of a source on a map, and tells whenever they can be had or no longer. Returns what takes them away. */
export function addTileLayer(
  map: L.Map,
  source: TileSource,
  look: DrawnLook,
  onOutcome: (outcome: 'shown' | 'failed') => void,
): () => void {
  let layer: L.GridLayer | undefined;
  let gone = false;
  let failures = 0;
  let lastOutcome: string | undefined;
  const report = (outcome: 'shown' | 'failed') => {
    if (gone || lastOutcome === outcome) return;
    lastOutcome = outcome;
    onOutcome(outcome);
  };
  const callbacks: TileCallbacks = {
    onRead: () => {
      failures = 0;
      report('shown');
    },
    onFailed: () => {
      failures += 1;
      if (failures >= FAILURES_MAX) report('failed');
    },
  };
  makeLayer(source, look, callbacks).then(
    (made) => {
      if (!gone) layer = made.addTo(map);
    },
    // The file is not there or is none, or what draws it cannot be loaded.
    () => report('failed'),
  );
  return () => {
    gone = true;
    layer?.remove();
  };
}

/** What draws files is loaded when there is one. */
async function makeLayer(source: TileSource, look: DrawnLook, callbacks: TileCallbacks): Promise<L.GridLayer> {
  switch (source.kind) {
    case 'raster_tiles':
      return watched(L.tileLayer(source.url, layerOptions(source)), callbacks);
    case 'pmtiles_raster': {
      const { rasterFile } = await import('./rasterFile');
      return watched(await rasterFile(source), callbacks);
    }
    case 'pmtiles_vector': {
      const { vectorFile } = await import('./vectorFile');
      return vectorFile(source, look, callbacks);
    }
  }
}

/** The layer, with its events told. */
const watched = (layer: L.GridLayer, { onRead, onFailed }: TileCallbacks): L.GridLayer =>
  layer.on('tileload', onRead).on('tileerror', onFailed);
