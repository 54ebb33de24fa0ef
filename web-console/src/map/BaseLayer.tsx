import { useEffect } from 'react';
import { TileLayer, useMap } from 'react-leaflet';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import { SchematicLayer } from './basemap/schematicLayer';
import { escapeHtml, type TileSource } from './tileSource';

/** What lies below the vehicles. */
export interface BaseLayerProps {
  source: TileSource | null;
  scheme: Scheme;
  /** Names the bundled map as the sketch that it is. */
  schematicAttribution: string;
}

/** The tiles of the source, or the bundled map. */
export function BaseLayer({ source, scheme, schematicAttribution }: BaseLayerProps) {
  const map = useMap();

  useEffect(() => {
    if (source) return;
    const layer = new SchematicLayer(MAP_COLORS[scheme], { attribution: escapeHtml(schematicAttribution) });
    layer.addTo(map);
    return () => {
      layer.remove();
    };
  }, [map, source, scheme, schematicAttribution]);

  if (!source) return null;
  return <TileLayer key={source.url} url={source.url} attribution={escapeHtml(source.attribution)} maxZoom={19} />;
}
