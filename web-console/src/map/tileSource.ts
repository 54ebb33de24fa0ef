/** Why the server cannot show a file. */
export type MapSourceProblem = 'not_pmtiles' | 'version' | 'tile_type' | 'schema';

/** What draws a street map: pictures from a server, or shapes, of which the console makes the pictures. */
export interface TileSource {
  kind: 'raster_tiles' | 'pmtiles_raster' | 'pmtiles_vector';
  /** Of tiles, with `{z}`, `{x}` and `{y}`. */
  url: string;
  attribution: string;
  min_zoom: number;
  /** From nearer, its tiles are drawn larger. */
  max_zoom: number;
  /** Degrees: west, south, east, north. Outside there is nothing. */
  bounds?: [number, number, number, number];
}

/** A street map that the server offers. Its address is another one each day. */
export interface MapSource extends TileSource {
  id: string;
  name: string;
  /** Bytes of a file. */
  size?: number;
  /** Absent where it can be shown. */
  problem?: MapSourceProblem;
}

/** What somebody wants below the vehicles: one of the server's maps, tiles of another server, or the bundled map. */
export type BaseChoice =
  { kind: 'server'; id: string } | { kind: 'own'; url: string; attribution: string } | { kind: 'schematic' };

const KEY = 'map_tiles';
const SCHEMATIC: BaseChoice = { kind: 'schematic' };
/** Nothing is known of a server of which somebody typed the address; most have no more. */
const OWN_MAX_ZOOM = 19;

/** Whether a template can be asked for tiles. Only https: the page's policy lets no other picture in. */
export function isTileTemplate(url: string): boolean {
  return /^https:\/\/\S+$/.test(url) && ['{z}', '{x}', '{y}'].every((part) => url.includes(part));
}

/** Text as it may stand in Leaflet's attribution, which is HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

interface KeptChoice {
  kind?: string;
  id?: string;
  url?: string;
  attribution?: string;
}

/** What was chosen in this browser; null for nothing. */
export function loadBaseChoice(): BaseChoice | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as KeptChoice | null;
    if (kept?.kind === 'schematic') return SCHEMATIC;
    if (kept?.kind === 'server' && kept.id) return { kind: 'server', id: kept.id };
    // Before there was anything else to choose, an address stood here without a kind.
    if (kept?.url && isTileTemplate(kept.url)) return ownChoice(kept.url, kept.attribution);
  } catch {
    // What cannot be read counts as nothing.
  }
  return null;
}

/** Keeps the choice in this browser. */
export function saveBaseChoice(choice: BaseChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // The choice then lasts as long as the page.
  }
}

/**
 * What is shown of what was chosen and what the server offers. Where nothing was chosen, or what was chosen is not there any
 * more: the first street map that can be shown, else the tiles of the build, else the bundled map. Undefined while that
 * depends on an offer that is still on its way.
 */
export function choiceInForce(
  kept: BaseChoice | null,
  offered: readonly MapSource[] | undefined,
): BaseChoice | undefined {
  if (kept && kept.kind !== 'server') return kept;
  if (!offered) return undefined;
  const usable = offered.filter(({ problem }) => !problem);
  const source = usable.find(({ id }) => id === kept?.id) ?? usable[0];
  return source ? { kind: 'server', id: source.id } : (choiceOfBuild() ?? SCHEMATIC);
}

/** What draws the choice that is in force; null for the bundled map, undefined while nobody knows. */
export function sourceOf(
  choice: BaseChoice | undefined,
  offered: readonly MapSource[] | undefined,
): TileSource | null | undefined {
  switch (choice?.kind) {
    case undefined:
      return undefined;
    case 'schematic':
      return null;
    case 'own':
      return { ...choice, kind: 'raster_tiles', min_zoom: 0, max_zoom: OWN_MAX_ZOOM };
    case 'server':
      return offered?.find(({ id }) => id === choice.id);
  }
}

const ownChoice = (url: string, attribution = ''): BaseChoice => ({ kind: 'own', url, attribution });

function choiceOfBuild(): BaseChoice | null {
  const url = import.meta.env.VITE_TILE_URL as string | undefined;
  const attribution = import.meta.env.VITE_TILE_ATTRIBUTION as string | undefined;
  return url && isTileTemplate(url) ? ownChoice(url, attribution) : null;
}
