import L from 'leaflet';
import { worldPixels } from '@/lib/mercator';
import { followZoom, placeOfCanvas, type CanvasPlace } from './canvasPlace';

const PANE = 'tracks';
const WIDTH = 4;
/** Points nearer to each other, in pixels, are drawn as one. */
const STEP = 1.5;

/** A line of many points, in colours. */
export interface DrawnTrack {
  /** Places in Mercator's unit square. */
  x: Float64Array;
  y: Float64Array;
  /** Of each point, the place in `palette` of the colour in which the line goes on to the next one; 255 for no line. */
  colour: Uint8Array;
  palette: readonly string[];
}

/** No line goes on from a point. */
export const NO_LINE = 255;

/** Lines of however many points on a canvas: what lies within a pixel is not drawn twice. */
export class TrackLayer extends L.Layer {
  private canvas: HTMLCanvasElement | null = null;
  private tracks: readonly DrawnTrack[] = [];
  private drawn: CanvasPlace | null = null;

  /** Shows these lines and no others. */
  show(tracks: readonly DrawnTrack[]): void {
    this.tracks = tracks;
    this.redraw();
  }

  override onAdd(map: L.Map): this {
    const pane = map.getPane(PANE) ?? map.createPane(PANE);
    pane.style.zIndex = '420';
    pane.style.pointerEvents = 'none';
    this.canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated', pane);
    this.canvas.setAttribute('aria-hidden', 'true');
    this.canvas.dataset.testid = 'track-canvas';
    this.canvas.style.transformOrigin = '0 0';
    this.redraw();
    return this;
  }

  override onRemove(): this {
    this.canvas?.remove();
    this.canvas = null;
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    const redraw = () => this.redraw();
    return {
      moveend: redraw,
      zoomend: redraw,
      resize: redraw,
      viewreset: redraw,
      zoomanim: (event) => {
        if (this.drawn && this.canvas) followZoom(this._map, this.canvas, this.drawn, event as L.ZoomAnimEvent);
      },
    };
  }

  private redraw(): void {
    const { canvas, _map: map } = this;
    if (!canvas || !map) return;
    const place = placeOfCanvas(map);
    const { position, origin, size, zoom } = place;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = size.x * ratio;
    canvas.height = size.y * ratio;
    canvas.style.width = `${size.x}px`;
    canvas.style.height = `${size.y}px`;
    L.DomUtil.setTransform(canvas, position, 1);
    this.drawn = place;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    context.lineWidth = WIDTH;
    context.lineJoin = context.lineCap = 'round';
    let points = 0;
    for (const track of this.tracks) points += draw(context, track, origin, size, worldPixels(zoom));
    canvas.dataset.points = String(points);
  }
}

/** Draws a line; returns how many points of it are on the canvas. */
function draw(
  context: CanvasRenderingContext2D,
  { x, y, colour, palette }: DrawnTrack,
  origin: L.Point,
  size: L.Point,
  scale: number,
): number {
  const paths = palette.map(() => new Path2D());
  let points = 0;
  // The last point that was drawn, and the path that ends there.
  let [fromX, fromY] = [NaN, NaN];
  let open = NO_LINE;
  let wanted = NO_LINE;
  for (let index = 0; index < x.length; index++) {
    const px = (x[index] ?? 0) * scale - origin.x;
    const py = (y[index] ?? 0) * scale - origin.y;
    const next = colour[index] ?? NO_LINE;
    const near = Math.abs(px - fromX) < STEP && Math.abs(py - fromY) < STEP;
    if (near && next === wanted && index < x.length - 1) continue;
    const path = paths[wanted];
    if (path && touches(fromX, fromY, px, py, size)) {
      if (open !== wanted) path.moveTo(fromX, fromY);
      path.lineTo(px, py);
      open = wanted;
      points += 1;
    } else open = NO_LINE;
    [fromX, fromY] = [px, py];
    if (next !== wanted) open = NO_LINE;
    wanted = next;
  }
  for (const [place, path] of paths.entries()) {
    context.strokeStyle = palette[place] ?? '';
    context.stroke(path);
  }
  return points;
}

/** Whether the way from one point to another may be seen: they do not both lie beyond the same edge. */
const touches = (ax: number, ay: number, bx: number, by: number, { x, y }: L.Point): boolean =>
  Math.max(ax, bx) > -WIDTH &&
  Math.min(ax, bx) < x + WIDTH &&
  Math.max(ay, by) > -WIDTH &&
  Math.min(ay, by) < y + WIDTH;
