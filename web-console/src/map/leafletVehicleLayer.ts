import L from 'leaflet';
import { live } from '@/live/live';
import type { Hit, SceneView } from '@/live/protocol';
import { followZoom, placeOfCanvas } from './canvasPlace';

const PANE = 'vehicles';

/** What of the Leaflet map was drawn last; the canvas is moved with the map until the next frame. */
interface DrawnView {
  viewId: number;
  topLeft: L.LatLng;
  position: L.Point;
  zoom: number;
}

/** The Leaflet side of the vehicle canvas: it tells the worker what is in view and keeps the canvas in its place. */
export class LeafletVehicleLayer extends L.Layer {
  private canvas: HTMLCanvasElement | null = null;
  private size = new L.Point(0, 0);
  private pending: DrawnView | null = null;
  private shown: DrawnView | null = null;
  private viewIds = 0;

  override onAdd(map: L.Map): this {
    const pane = map.getPane(PANE) ?? map.createPane(PANE);
    pane.style.zIndex = '450';
    pane.style.pointerEvents = 'none';
    const canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated', pane);
    canvas.setAttribute('aria-hidden', 'true');
    canvas.dataset.vehiclesDrawn = '0';
    canvas.style.transformOrigin = '0 0';
    this.canvas = canvas;
    const offscreen = canvas.transferControlToOffscreen();
    live.send({ type: 'canvas', canvas: offscreen }, [offscreen]);
    live.onDrawn = (viewId, vehicles, bubbles) => {
      canvas.dataset.vehiclesDrawn = String(vehicles);
      canvas.dataset.bubbles = String(bubbles);
      if (this.pending?.viewId === viewId) this.show(this.pending);
    };
    this.sendView();
    return this;
  }

  override onRemove(): this {
    live.onDrawn = null;
    live.send({ type: 'canvas_gone' });
    this.canvas?.remove();
    this.canvas = null;
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      moveend: () => this.sendView(),
      zoomend: () => this.sendView(),
      resize: () => this.sendView(),
      viewreset: () => this.sendView(),
      zoomanim: (event) => {
        if (this.shown && this.canvas) followZoom(this._map, this.canvas, this.shown, event as L.ZoomAnimEvent);
      },
    };
  }

  /** What lies at a point of the map's container. */
  async hit(point: L.Point): Promise<Hit> {
    if (!this.shown) return null;
    const onCanvas = this._map.containerPointToLayerPoint(point).subtract(this.shown.position);
    return live.hit(onCanvas.x, onCanvas.y);
  }

  /** Whether what the map shows now is on the canvas. */
  isDrawn(): boolean {
    return this.pending?.viewId === this.shown?.viewId;
  }

  private sendView(): void {
    const { position, origin, size, topLeft, zoom } = placeOfCanvas(this._map);
    this.size = size;
    const view: SceneView = {
      zoom,
      originX: origin.x,
      originY: origin.y,
      width: this.size.x,
      height: this.size.y,
      pixelRatio: Math.min(2, window.devicePixelRatio || 1),
    };
    const viewId = ++this.viewIds;
    this.pending = { viewId, topLeft, position, zoom };
    // After a zoom the old picture lies in another scale: it has to follow at once, not with the next frame.
    if (this.shown && this.shown.zoom !== zoom) this.show(this.pending);
    live.send({ type: 'view', view, viewId });
  }

  private show(view: DrawnView): void {
    if (!this.canvas) return;
    this.canvas.style.width = `${this.size.x}px`;
    this.canvas.style.height = `${this.size.y}px`;
    L.DomUtil.setTransform(this.canvas, view.position, 1);
    this.shown = view;
  }
}
