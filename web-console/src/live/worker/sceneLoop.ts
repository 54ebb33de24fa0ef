import { latOf, lngOf, worldPixels } from '@/lib/mercator';
import type { Appearance, Bounds, Hit, LiveReport, SceneView } from '../protocol';
import { bubbleAt } from './bubbles';
import { createDrawn, drawFrame, nearestDrawn, SLOWEST_FRAME_MS, type Drawn } from './draw';
import type { Fleet } from './fleet';
import type { MapFilter } from './mapFilter';
import { SpriteAtlas } from './sprites';
import type { Trails } from './trail';

/** Vehicles go offline without any message; look this often. */
const AGE_CHECK_MS = 5_000;
/** What comes within this time is drawn in one frame. */
const FRAME_DELAY_MS = 100;

/** Owns a canvas and draws the fleet on it when something has changed. While the page is hidden no frame comes. */
export class SceneLoop {
  private drawn: Drawn = createDrawn(64);
  private view: SceneView | null = null;
  private viewId = 0;
  private appearance: Appearance | null = null;
  private atlas: SpriteAtlas | null = null;
  private frameRequest = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private timerDue = Infinity;
  private reported = '';
  private readonly ageTimer: ReturnType<typeof setInterval>;

  private readonly canvas: OffscreenCanvas;
  private readonly fleet: Fleet;
  private readonly filter: MapFilter;
  private readonly trails: Trails;
  private readonly report: (report: LiveReport) => void;

  constructor(
    canvas: OffscreenCanvas,
    fleet: Fleet,
    filter: MapFilter,
    trails: Trails,
    report: (report: LiveReport) => void,
  ) {
    this.canvas = canvas;
    this.fleet = fleet;
    this.filter = filter;
    this.trails = trails;
    this.report = report;
    this.ageTimer = setInterval(() => this.changed(), AGE_CHECK_MS);
  }

  /** The map shows another part of the world. */
  setView(view: SceneView, viewId: number): void {
    if (view.pixelRatio !== this.view?.pixelRatio) this.atlas = null;
    this.view = view;
    this.viewId = viewId;
    this.drawSoon();
  }

  /** Other colours. */
  setAppearance(appearance: Appearance): void {
    this.appearance = appearance;
    this.atlas = null;
    this.drawSoon();
  }

  /** Others are on the map, or others are chosen. */
  filterChanged(): void {
    this.drawSoon();
  }

  /** The fleet has changed. */
  changed(): void {
    this.drawIn(this.drawn.isCrowd ? SLOWEST_FRAME_MS : FRAME_DELAY_MS);
  }

  /** The first vehicles are there: nobody waits for a frame. */
  drawNow(): void {
    cancelAnimationFrame(this.frameRequest);
    this.draw(performance.now());
  }

  /** What lies at a point of the canvas. */
  hit(x: number, y: number): Hit {
    const place = nearestDrawn(this.drawn, x, y);
    const row = this.drawn.rows[place] ?? -1;
    const id = this.fleet.ids[row];
    if (place >= 0 && id !== undefined) return { kind: 'vehicle', id, name: this.fleet.names[row] ?? '' };
    const bubble = bubbleAt(this.drawn.bubbles, x, y);
    if (!bubble) return null;
    const { left, top, right, bottom } = bubble;
    return { kind: 'bubble', count: bubble.count, bounds: this.boundsOf(left, top, right, bottom) };
  }

  /** The part of the world on the canvas; null before the map has said. */
  bounds(): Bounds | null {
    return this.view && this.boundsOf(0, 0, this.view.width, this.view.height);
  }

  /** Draws no more. */
  stop(): void {
    clearInterval(this.ageTimer);
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frameRequest);
  }

  private boundsOf(left: number, top: number, right: number, bottom: number): Bounds {
    const { zoom = 0, originX = 0, originY = 0 } = this.view ?? {};
    const scale = worldPixels(zoom);
    return {
      west: lngOf((originX + left) / scale),
      south: latOf((originY + bottom) / scale),
      east: lngOf((originX + right) / scale),
      north: latOf((originY + top) / scale),
    };
  }

  private drawSoon(): void {
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame((now) => this.draw(now));
  }

  private drawIn(delay: number): void {
    const due = performance.now() + delay;
    if (this.frameRequest !== 0 || due >= this.timerDue) return;
    clearTimeout(this.timer);
    this.timerDue = due;
    this.timer = setTimeout(() => {
      this.timerDue = Infinity;
      this.drawSoon();
    }, delay);
  }

  private draw(now: number): void {
    this.frameRequest = 0;
    const context = this.canvas.getContext('2d');
    const { view, appearance } = this;
    if (!context || !view || !appearance) return;
    const width = Math.round(view.width * view.pixelRatio);
    const height = Math.round(view.height * view.pixelRatio);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.atlas ??= new SpriteAtlas(appearance, view.pixelRatio);
    if (this.drawn.rows.length < this.fleet.size) this.drawn = createDrawn(this.fleet.size * 2);
    const { fleet, atlas, filter, trails } = this;
    const { chosen } = filter;
    const clock = Date.now();
    drawFrame({ context, fleet, view, appearance, atlas, filter, chosen, trails, now, clock }, this.drawn);
    performance.measure('vehicles', { start: now, end: performance.now() });
    performance.clearMeasures('vehicles');
    this.notify();
    if (Number.isFinite(this.drawn.next)) this.drawIn(this.drawn.next);
  }

  private notify(): void {
    const { inView: vehicles, bubbles } = this.drawn;
    const report = `${this.viewId} ${vehicles} ${bubbles.length}`;
    if (this.reported === report) return;
    this.reported = report;
    this.report({ type: 'drawn', viewId: this.viewId, vehicles, bubbles: bubbles.length });
  }
}
