import type L from 'leaflet';
import { useEffect, useState } from 'react';
import type { Language } from '@/i18n/languages';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import { SchematicLayer } from '../basemap/schematicLayer';
import { escapeHtml, type TileSource } from '../tileSource';
import { isEverywhere } from './layerOptions';
import { addTileLayer } from './addTileLayer';

/** What lies below the vehicles. */
export interface BaseMap {
  /** Null for the bundled map; undefined while it is not known which it will be. */
  source: TileSource | null | undefined;
  scheme: Scheme;
  /** Of names, where these are drawn here. */
  language: Language;
  /** Names the bundled map as the sketch that it is. */
  schematicAttribution: string;
  /** Whether the bundled map has the roads of the demonstration. */
  roads?: boolean;
}

/** A server that failed is asked again after this long. */
const RETRY_MS = 30_000;
/** For so long what was chosen is waited for, before the bundled map is shown in its place. */
const WAIT_TIMEOUT_MS = 1_000;
/** The names in files of Protomaps have no Javanese, and two kinds of Chinese. */
const NAMES: Record<Language, string> = { id: 'id', en: 'en', zh: 'zh-Hans', jv: 'id' };

/**
 * Lays the tiles of a source on a map, or the bundled map; that one also where there are no tiles or they cannot be had, so
 * that nobody sees a blank. Says whether they cannot be had.
 */
export function useBaseMap(map: L.Map | null, base: BaseMap): boolean {
  const { source, scheme, schematicAttribution: attribution, roads = false } = base;
  const tiles = useTiles(map, base);
  const waited = useHasTimedOut(source);
  const isSettled = waited || tiles === 'shown';
  const isNeeded = source === undefined || (source !== null && !isEverywhere(source));
  const isShown = source === null || tiles === 'failed' || (isSettled && isNeeded);
  useSchematic(map, isShown, { scheme, attribution, roads });
  return tiles === 'failed';
}

/** What has become of the tiles of a source. */
type Outcome = 'waiting' | 'shown' | 'failed';

function useTiles(map: L.Map | null, { source, scheme, language }: BaseMap): Outcome {
  const [known, setKnown] = useState<{ source: TileSource; outcome: Outcome } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const outcome = known && known.source === source ? known.outcome : 'waiting';
  // Pictures are the same by night and in every language: they are not fetched anew for these.
  const isDrawn = source?.kind === 'pmtiles_vector';
  const flavor = isDrawn ? scheme : 'light';
  const lang = isDrawn ? NAMES[language] : NAMES.id;

  useEffect(() => {
    if (!map || !source) return;
    return addTileLayer(map, source, { flavor, lang }, (is) => setKnown({ source, outcome: is }));
  }, [map, source, flavor, lang, attempt]);

  useEffect(() => {
    if (outcome !== 'failed') return;
    const timer = setInterval(() => setAttempt((count) => count + 1), RETRY_MS);
    return () => clearInterval(timer);
  }, [outcome]);
  return outcome;
}

/** Whether something has been the same for a while. */
function useHasTimedOut(what: unknown): boolean {
  const [known, setKnown] = useState<{ what: unknown } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setKnown({ what }), WAIT_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return known !== null && known.what === what;
}

interface SchematicLook {
  scheme: Scheme;
  attribution: string;
  roads: boolean;
}

function useSchematic(map: L.Map | null, isShown: boolean, { scheme, attribution, roads }: SchematicLook): void {
  useEffect(() => {
    if (!map || !isShown) return;
    const layer = new SchematicLayer(MAP_COLORS[scheme], roads, { attribution: escapeHtml(attribution) });
    layer.addTo(map);
    return () => {
      layer.remove();
    };
  }, [map, isShown, scheme, attribution, roads]);
}
