import L from 'leaflet';
import type { MapColors } from '@/theme/tokens';
import { worldPixels } from '@/lib/mercator';
import { clipRing, overlaps, type Box } from './clip';
import { loadBasemap, type BasemapGeometry, type Path } from './geometry';
import { LABEL_REACH, labelsAt, type Place } from './labels';

const FONT = "500 11px 'Inter Variable', system-ui, sans-serif";
const LARGE_FONT = "600 12px 'Inter Variable', system-ui, sans-serif";
/** Tiles are drawn beyond their edge, so that a coast's line does not end there. */
const MARGIN = 4;

/** Where a tile lies, in world pixels. */
interface TileFrame {
  left: number;
  top: number;
  size: number;
  scale: number;
  zoom: number;
}

/** The bundled map as Leaflet tiles: land, borders and names of cities, drawn here, without any server. */
export class SchematicLayer extends L.GridLayer {
  private readonly colors: MapColors;

  constructor(colors: MapColors, options: L.GridLayerOptions) {
    super({ ...options, noWrap: true, updateWhenZooming: false });
    this.colors = colors;
  }

  protected override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const size = this.getTileSize().x;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const tile = document.createElement('canvas');
    tile.width = tile.height = size * ratio;
    const frame = { left: coords.x * size, top: coords.y * size, size, scale: worldPixels(coords.z), zoom: coords.z };
    Promise.all([loadBasemap(), document.fonts.load(FONT)]).then(
      ([geometry]) => {
        const context = tile.getContext('2d');
        if (context) {
          context.scale(ratio, ratio);
          paintTile(context, geometry, frame, this.colors);
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
  geometry: BasemapGeometry,
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

/** A line is cut by leaving out the segments that do not touch the tile. */
function traceClipped(context: CanvasRenderingContext2D, path: Path, box: Box, frame: TileFrame): void {
  const { points } = path;
  let down = false;
  for (let i = 2; i < points.length; i += 2) {
    const ax = points[i - 2] ?? 0;
    const ay = points[i - 1] ?? 0;
    const bx = points[i] ?? 0;
    const by = points[i + 1] ?? 0;
    const segment = {
      minX: Math.min(ax, bx),
      maxX: Math.max(ax, bx),
      minY: Math.min(ay, by),
      maxY: Math.max(ay, by),
    };
    if (!overlaps(segment, box)) {
      down = false;
      continue;
    }
    if (!down) context.moveTo(ax * frame.scale - frame.left, ay * frame.scale - frame.top);
    context.lineTo(bx * frame.scale - frame.left, by * frame.scale - frame.top);
    down = true;
  }
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
