import { useState } from 'react';
import { useBaseChoice } from '@/map/useBaseChoice';
import { loadMapLayers, saveMapLayers, type MapLayers } from './mapLayers';

/** What the map draws, as it was chosen in this browser: it is kept with each change. */
export function useMapSettings() {
  const base = useBaseChoice();
  const [layers, setLayers] = useState(loadMapLayers);
  return {
    base,
    layers,
    onLayers: (chosen: MapLayers) => {
      saveMapLayers(chosen);
      setLayers(chosen);
    },
  };
}
