import { useEffect, useRef, useState } from 'react';
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
  /** Whether the tiles cannot be had. */
  onFailed?: (failed: boolean) => void;
}

/** A tile may be missing at the edge of what a server has; so many in a row mean that there is none. */
const FAILURES_MAX = 4;
/** A server that failed is asked again after this long. */
const RETRY_MS = 30_000;

/** The tiles of the source, or the bundled map; that one also where tiles cannot be had, so that nobody sees a blank. */
export function BaseLayer({ source, scheme, schematicAttribution, onFailed }: BaseLayerProps) {
  const map = useMap();
  const [failed, setFailed] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const failures = useRef(0);
  const url = source?.url ?? null;
  const schematic = url === null || failed === url;

  useEffect(() => {
    if (!url || failed !== url) return;
    const timer = setTimeout(() => setAttempt(attempt + 1), RETRY_MS);
    return () => clearTimeout(timer);
  }, [url, failed, attempt]);

  useEffect(() => onFailed?.(url !== null && schematic), [onFailed, url, schematic]);

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
      key={`${source.url} ${attempt}`}
      url={source.url}
      attribution={escapeHtml(source.attribution)}
      maxZoom={19}
      zIndex={TILES_ABOVE_SCHEMATIC}
      eventHandlers={{
        tileerror: () => {
          failures.current += 1;
          if (failures.current >= FAILURES_MAX) setFailed(source.url);
        },
        tileload: () => {
          failures.current = 0;
          setFailed(null);
        },
      }}
    />
  );
}
