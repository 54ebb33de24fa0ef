import L from 'leaflet';
import { PMTiles, type RangeResponse } from 'pmtiles';
import { leafletLayer } from 'protomaps-leaflet';
import type { TileSource } from '../tileSource';
import { layerOptions } from './layerOptions';
import type { DrawnLook, TileCallbacks } from './addTileLayer';

// protomaps-leaflet looks for Leaflet in a global `L` when it makes a layer. Leaflet 1.9 puts itself there, 2.0 will not: it
// is said here, where it is needed, and nothing else looks there.
Object.assign(globalThis, { L });

/** Opens a file of shapes, and refuses what is none. */
export async function vectorFile(source: TileSource, look: DrawnLook, callbacks: TileCallbacks): Promise<L.GridLayer> {
  // A file and no address: by an address that does not end in `.pmtiles`, tiles would be asked for one by one.
  const file = new WatchedFile(source.url, callbacks);
  await file.getHeader();
  // From nearer than the file's nearest zoom, its shapes are drawn larger, and not the pictures that were made of them.
  const { maxNativeZoom: maxDataZoom, ...options } = layerOptions(source);
  const layer = leafletLayer({ ...options, ...look, url: file, maxDataZoom });
  // Where the file has nothing, or cannot be read, what lies below is seen.
  layer.backgroundColor = undefined;
  return layer as unknown as L.GridLayer;
}

/** A file that tells whether it can be read: the layer keeps that to itself, and draws nothing then. */
class WatchedFile extends PMTiles {
  private readonly callbacks: TileCallbacks;

  constructor(url: string, callbacks: TileCallbacks) {
    super(url);
    this.callbacks = callbacks;
  }

  override async getZxy(z: number, x: number, y: number, signal?: AbortSignal): Promise<RangeResponse | undefined> {
    try {
      const found = await super.getZxy(z, x, y, signal);
      this.callbacks.onRead();
      return found;
    } catch (error) {
      if (!signal?.aborted) this.callbacks.onFailed();
      throw error;
    }
  }
}
