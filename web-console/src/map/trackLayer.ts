import L from 'leaflet';
import { worldPixels } from '@/lib/mercator';
import { followZoom, placeOfCanvas, type CanvasPlace } from './canvasPlace';
import { LINE_WIDTH, traceLine, type DrawnTrack, type LineView } from './trackLine';

const PANE = 'tracks';

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
      // Comes with each change of the view, of the zoom as well, and once.
      moveend: redraw,
      resize: redraw,
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
    context.lineWidth = LINE_WIDTH;
    context.lineJoin = context.lineCap = 'round';
    let points = 0;
    const view = { origin, size, scale: worldPixels(zoom) };
    for (const track of this.tracks) points += draw(context, track, view);
    canvas.dataset.points = String(points);
  }
}

/** Draws a line; returns of how many pieces. */
function draw(context: CanvasRenderingContext2D, track: DrawnTrack, view: LineView): number {
  const paths = track.palette.map(() => new Path2D());
  const pieces = traceLine(track, paths, view);
  for (const [place, path] of paths.entries()) {
    context.strokeStyle = track.palette[place] ?? '';
    context.stroke(path);
  }
  return pieces;
}
