import { useEffect, useState } from 'react';
import { TileLayer, useMap } from 'react-leaflet';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import { SchematicLayer } from './basemap/schematicLayer';
import { escapeHtml, type TileSource } from './tileSource';

const TILES_ABOVE_SCHEMATIC = 2;

/** What lies below the vehicles. */
export interface BaseLayerProps {
  source: TileSource | null;
  scheme: Scheme;
  /** Names the bundled map as the sketch that it is. */
  schematicAttribution: string;
}

/** The tiles of the source, or the bundled map; that one also where tiles cannot be had, so that nobody sees a blank. */
export function BaseLayer({ source, scheme, schematicAttribution }: BaseLayerProps) {
  const map = useMap();
  const [failed, setFailed] = useState<string | null>(null);
  const url = source?.url ?? null;
  const schematic = url === null || failed === url;

  useEffect(() => {
    if (!schematic) return;
    const layer = new SchematicLayer(MAP_COLORS[scheme], { attribution: escapeHtml(schematicAttribution) });
    layer.addTo(map);
    return () => {
      layer.remove();
    };
  }, [map, schematic, scheme, schematicAttribution]);

  if (!source) return null;
  return (
    <TileLayer
      key={source.url}
      url={source.url}
      attribution={escapeHtml(source.attribution)}
      maxZoom={19}
      zIndex={TILES_ABOVE_SCHEMATIC}
      eventHandlers={{ tileerror: () => setFailed(source.url) }}
    />
  );
}
