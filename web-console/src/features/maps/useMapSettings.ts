import { useState } from 'react';
import { loadTileSource, saveTileSource, type TileSource } from '@/map/tileSource';
import { loadMapLayers, saveMapLayers, type MapLayers } from './mapLayers';

/** What the map draws, as it was chosen in this browser: it is kept with each change. */
export function useMapSettings() {
  const [tiles, setTiles] = useState<TileSource | null>(loadTileSource);
  const [layers, setLayers] = useState(loadMapLayers);
  return {
    tiles,
    onTiles: (source: TileSource | null) => {
      saveTileSource(source);
      setTiles(source);
    },
    layers,
    onLayers: (chosen: MapLayers) => {
      saveMapLayers(chosen);
      setLayers(chosen);
    },
  };
}
