import type L from 'leaflet';
import { escapeHtml, type TileSource } from '../tileSource';

/** The bundled map is the first in its pane. */
const ABOVE_SCHEMATIC = 2;
/** From nearer than this, nobody is shown a map. */
const NEAREST_ZOOM = 19;
/** The maps show no more of the world than at this zoom, for which a drawn file is asked for the zoom before it. */
const WIDEST_ZOOM = 3;
/** Protomaps draws the data of OpenStreetMap, which has to be said even where the file does not. */
const PROTOMAPS_DATA = '© OpenStreetMap';

/** What Leaflet has to know of a source, whatever draws it. */
export function layerOptions({ kind, attribution, min_zoom, max_zoom, bounds }: TileSource): L.GridLayerOptions {
  const credits = attribution || (kind === 'pmtiles_vector' ? PROTOMAPS_DATA : '');
  return {
    attribution: escapeHtml(credits),
    minZoom: min_zoom,
    maxZoom: NEAREST_ZOOM,
    maxNativeZoom: max_zoom,
    // Of what is everywhere, the world beyond the 180th meridian is shown as well.
    bounds: bounds && !isWorld(bounds) ? latLngBounds(bounds) : undefined,
    zIndex: ABOVE_SCHEMATIC,
    // What is drawn here has colours of its own by night.
    className: kind === 'pmtiles_vector' ? '' : 'map-pictures',
  };
}

/** Whether something is to be seen everywhere and from everywhere, so that nothing has to lie below. */
export function isEverywhere({ min_zoom, bounds }: TileSource): boolean {
  return min_zoom < WIDEST_ZOOM && (!bounds || isWorld(bounds));
}

type Bounds = NonNullable<TileSource['bounds']>;

const isWorld = ([west, south, east, north]: Bounds) => east - west >= 360 && south <= -85 && north >= 85;

const latLngBounds = ([west, south, east, north]: Bounds): L.LatLngBoundsLiteral => [
  [south, west],
  [north, east],
];
