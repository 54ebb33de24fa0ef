/** Where background tiles come from when somebody wants others than the bundled map. */
export interface TileSource {
  /** With `{z}`, `{x}` and `{y}`. */
  url: string;
  attribution: string;
}

const KEY = 'map_tiles';

/** Whether a template can be asked for tiles. Only https: the page's policy lets no other picture in. */
export function isTileTemplate(url: string): boolean {
  return /^https:\/\/\S+$/.test(url) && ['{z}', '{x}', '{y}'].every((part) => url.includes(part));
}

/** Text as it may stand in Leaflet's attribution, which is HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The tiles chosen in this browser, else those of the build, else none: the bundled map. */
export function loadTileSource(): TileSource | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<TileSource> | null;
    if (stored?.url && isTileTemplate(stored.url)) return { url: stored.url, attribution: stored.attribution ?? '' };
  } catch {
    // What cannot be read counts as nothing.
  }
  const url = import.meta.env.VITE_TILE_URL as string | undefined;
  const attribution = (import.meta.env.VITE_TILE_ATTRIBUTION as string | undefined) ?? '';
  return url && isTileTemplate(url) ? { url, attribution } : null;
}

/** Keeps the choice in this browser; null for the bundled map. */
export function saveTileSource(source: TileSource | null): void {
  try {
    if (source) localStorage.setItem(KEY, JSON.stringify(source));
    else localStorage.removeItem(KEY);
  } catch {
    // The choice then lasts as long as the page.
  }
}
