/** What is drawn on the map besides vehicles. */
export interface MapLayers {
  /** The names of all vehicles, not only of the chosen ones. */
  names: boolean;
  /** Where the chosen vehicles have been since they were chosen. */
  trails: boolean;
}

const KEY = 'map_layers';
const ALL: MapLayers = { names: true, trails: true };

/** The layers chosen in this browser, else all. */
export function loadMapLayers(): MapLayers {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<MapLayers> | null;
    return { names: stored?.names !== false, trails: stored?.trails !== false };
  } catch {
    // What cannot be read counts as nothing.
    return ALL;
  }
}

/** Keeps the choice in this browser. */
export function saveMapLayers(layers: MapLayers): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(layers));
  } catch {
    // The choice then lasts as long as the page.
  }
}
