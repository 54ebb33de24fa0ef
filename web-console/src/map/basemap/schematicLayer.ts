import L from 'leaflet';
import type { MapColors } from '@/theme/tokens';
import { worldPixels } from '@/lib/mercator';
import { clipRing, overlaps, type Box } from './clip';
import { traceClipped, type TileFrame } from './frame';
import { loadBasemap, type BasemapGeometry } from './geometry';
import { LABEL_REACH, labelsAt, type Place } from './labels';
import { paintRoads, ROADS_FROM } from './paintRoads';
import { loadRoads, type Road } from './roads';

const FONT = "500 11px 'Inter Variable', system-ui, sans-serif";
const LARGE_FONT = "600 12px 'Inter Variable', system-ui, sans-serif";
/** Tiles are drawn beyond their edge, so that a coast's line does not end there. */
const MARGIN = 4;

/** The bundled map as Leaflet tiles: land, borders and names of cities, drawn here, without any server. */
export class SchematicLayer extends L.GridLayer {
  private readonly colors: MapColors;
  private readonly withRoads: boolean;

  /** With roads it shows those of the demonstration. */
  constructor(colors: MapColors, withRoads: boolean, options: L.GridLayerOptions) {
    super({ ...options, noWrap: true, updateWhenZooming: false });
    this.colors = colors;
    this.withRoads = withRoads;
  }

  protected override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const size = this.getTileSize().x;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const tile = document.createElement('canvas');
    tile.width = tile.height = size * ratio;
    const frame = { left: coords.x * size, top: coords.y * size, size, scale: worldPixels(coords.z), zoom: coords.z };
    // Where they do not come, the rest is there.
    const roads = this.withRoads && coords.z >= ROADS_FROM ? loadRoads().catch(() => []) : [];
    Promise.all([loadBasemap(), roads, document.fonts.load(FONT)]).then(
      ([geometry, near]) => {
        const context = tile.getContext('2d');
        if (context) {
          context.scale(ratio, ratio);
          paintTile(context, { geometry, roads: near }, frame, this.colors);
        }
        done(undefined, tile);
      },
      (error: unknown) => done(error as Error, tile),
    );
    return tile;
  }
}

function paintTile(
  context: CanvasRenderingContext2D,
  { geometry, roads }: { geometry: BasemapGeometry; roads: readonly Road[] },
  frame: TileFrame,
  colors: MapColors,
): void {
  const box: Box = {
    minX: (frame.left - MARGIN) / frame.scale,
    minY: (frame.top - MARGIN) / frame.scale,
    maxX: (frame.left + frame.size + MARGIN) / frame.scale,
    maxY: (frame.top + frame.size + MARGIN) / frame.scale,
  };
  context.lineJoin = 'round';
  context.fillStyle = colors.land;
  context.strokeStyle = colors.coast;
  context.lineWidth = 1;
  for (const country of geometry.land) {
    context.beginPath();
    for (const ring of country) {
      if (overlaps(ring, box)) trace(context, clipRing(ring.points, box), frame, true);
    }
    context.fill('evenodd');
    context.stroke();
  }
  context.strokeStyle = colors.border;
  context.beginPath();
  for (const border of geometry.borders) {
    if (overlaps(border, box)) traceClipped(context, border, box, frame);
  }
  context.stroke();
  paintRoads(context, roads, { box, frame, colors });
  paintLabels(context, geometry.places, frame, colors);
}

function trace(context: CanvasRenderingContext2D, points: ArrayLike<number>, frame: TileFrame, close: boolean): void {
  for (let i = 0; i < points.length; i += 2) {
    const x = (points[i] ?? 0) * frame.scale - frame.left;
    const y = (points[i + 1] ?? 0) * frame.scale - frame.top;
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  if (close && points.length > 0) context.closePath();
}

function paintLabels(
  context: CanvasRenderingContext2D,
  places: readonly Place[],
  frame: TileFrame,
  colors: MapColors,
): void {
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = colors.labelHalo;
  context.fillStyle = colors.label;
  for (const label of labelsAt(places, frame.zoom)) {
    const x = label.x - frame.left;
    const y = label.y - frame.top;
    if (x < -LABEL_REACH || x > frame.size + 8 || y < -12 || y > frame.size + 12) continue;
    context.beginPath();
    context.arc(x, y, label.large ? 2.5 : 2, 0, 2 * Math.PI);
    context.fill();
    context.font = label.large ? LARGE_FONT : FONT;
    context.strokeText(label.name, x + 6, y);
    context.fillText(label.name, x + 6, y);
  }
}
