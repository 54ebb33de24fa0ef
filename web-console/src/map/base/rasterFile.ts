import L from 'leaflet';
import { PMTiles, TileType } from 'pmtiles';
import type { TileSource } from '../tileSource';
import { layerOptions } from './layerOptions';

/** What the pictures of a file are. */
const MEDIA_TYPES: Partial<Record<TileType, string>> = {
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
  [TileType.Avif]: 'image/avif',
};

/** Opens a file of pictures, and refuses what is none. */
export async function rasterFile(source: TileSource): Promise<L.GridLayer> {
  const file = new PMTiles(source.url);
  const type = MEDIA_TYPES[(await file.getHeader()).tileType];
  if (!type) throw new Error('the file has no pictures in it');
  return new RasterFileLayer(file, type, layerOptions(source));
}

/**
 * The pictures of a file as Leaflet tiles. `leafletRasterLayer` of pmtiles does not tell when a tile cannot be read, and shows
 * pictures by addresses of `blob:`, for which the page's policy would have to be opened: here they are painted.
 */
class RasterFileLayer extends L.GridLayer {
  private readonly file: PMTiles;
  private readonly type: string;
  /** What is under way, by tile. */
  private readonly loading = new WeakMap<HTMLElement, AbortController>();

  constructor(file: PMTiles, type: string, options: L.GridLayerOptions) {
    super(options);
    this.file = file;
    this.type = type;
    this.on('tileunload', ({ tile }) => this.loading.get(tile)?.abort());
  }

  protected override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const tile = document.createElement('canvas');
    const ending = new AbortController();
    this.loading.set(tile, ending);
    this.paint(tile, coords, ending.signal).then(
      () => done(undefined, tile),
      (error: unknown) => {
        if (!ending.signal.aborted) done(error as Error, tile);
      },
    );
    return tile;
  }

  private async paint(tile: HTMLCanvasElement, { x, y, z }: L.Coords, signal: AbortSignal): Promise<void> {
    const found = await this.file.getZxy(z, x, y, signal);
    // Where the file has nothing, what lies below is seen.
    if (!found) return;
    const picture = await createImageBitmap(new Blob([found.data], { type: this.type }));
    tile.width = picture.width;
    tile.height = picture.height;
    tile.getContext('2d')?.drawImage(picture, 0, 0);
    picture.close();
  }
}
