import { VEHICLE_STATES } from '@/live/vehicleState';
import { createDrawn, drawFrame, nearestDrawn, type Drawn } from './draw';
import type { Appearance, SceneMessage, SceneReport, SceneView } from './protocol';
import { Scene } from './scene';
import { SpriteAtlas } from './sprites';

const ALL_STATES = (1 << VEHICLE_STATES.length) - 1;
/** Vehicles go offline without any message; look this often. */
const AGE_CHECK_MS = 5_000;

type Surface = OffscreenCanvas | HTMLCanvasElement;
type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** Owns the canvas and draws on it when something has changed. It runs in a worker or, without one, in the page. */
export class SceneLoop {
  private readonly scene = new Scene();
  private readonly names = new Map<string, string>();
  private drawn: Drawn = createDrawn(64);
  private view: SceneView | null = null;
  private viewId = 0;
  private appearance: Appearance | null = null;
  private atlas: SpriteAtlas | null = null;
  private shownStates = ALL_STATES;
  private selected: string | null = null;
  private frameRequest = 0;
  private reported = { viewId: -1, visible: -1 };
  private readonly ageTimer: ReturnType<typeof setInterval>;

  private readonly canvas: Surface;
  private readonly report: (report: SceneReport) => void;

  constructor(canvas: Surface, report: (report: SceneReport) => void) {
    this.canvas = canvas;
    this.report = report;
    this.ageTimer = setInterval(() => this.requestFrame(), AGE_CHECK_MS);
  }

  /** Takes in what the map says. */
  handle(message: SceneMessage): void {
    switch (message.type) {
      case 'view':
        this.setView(message.view, message.viewId);
        break;
      case 'update':
        for (const fix of message.fixes) this.scene.update(fix, performance.now());
        break;
      case 'names':
        this.names.clear();
        for (const [id, name] of Object.entries(message.names)) this.names.set(id, name);
        break;
      case 'select':
        this.selected = message.id;
        break;
      case 'filter':
        this.shownStates = message.states
          ? message.states.reduce((bits, state) => bits | (1 << VEHICLE_STATES.indexOf(state)), 0)
          : ALL_STATES;
        break;
      case 'appearance':
        this.appearance = message.appearance;
        this.atlas = null;
        break;
      case 'clear':
        this.scene.clear();
        break;
      case 'hit':
        return this.report({ type: 'hit', request: message.request, id: this.vehicleAt(message.x, message.y) });
      case 'stop':
        return this.stop();
    }
    this.requestFrame();
  }

  private setView(view: SceneView, viewId: number): void {
    if (view.pixelRatio !== this.view?.pixelRatio) this.atlas = null;
    this.view = view;
    this.viewId = viewId;
    const width = Math.round(view.width * view.pixelRatio);
    const height = Math.round(view.height * view.pixelRatio);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  private vehicleAt(x: number, y: number): string | null {
    const place = nearestDrawn(this.drawn, x, y);
    return place < 0 ? null : (this.scene.ids[this.drawn.rows[place] ?? -1] ?? null);
  }

  private requestFrame(): void {
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frameRequest = 0;
    const context = this.canvas.getContext('2d') as Context | null;
    const { view, appearance } = this;
    if (!context || !view || !appearance) return;
    this.atlas ??= new SpriteAtlas(appearance, view.pixelRatio);
    if (this.drawn.rows.length < this.scene.size) this.drawn = createDrawn(this.scene.size * 2);
    drawFrame(
      {
        context,
        scene: this.scene,
        view,
        appearance,
        atlas: this.atlas,
        names: this.names,
        shownStates: this.shownStates,
        selected: this.selected,
        now,
        clock: Date.now(),
      },
      this.drawn,
    );
    this.tell();
    if (this.drawn.animating) this.requestFrame();
  }

  private tell(): void {
    const visible = this.drawn.count;
    if (this.reported.viewId === this.viewId && this.reported.visible === visible) return;
    this.reported = { viewId: this.viewId, visible };
    this.report({ type: 'drawn', viewId: this.viewId, visible });
  }

  private stop(): void {
    clearInterval(this.ageTimer);
    cancelAnimationFrame(this.frameRequest);
  }
}
