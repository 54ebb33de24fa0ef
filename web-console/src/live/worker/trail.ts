import { worldPixels } from '@/lib/mercator';
import type { SceneView } from '../protocol';
import type { Context } from './draw';

/** Fixes that are remembered. */
const LENGTH = 240;

/** Where each of the chosen vehicles has been since it was chosen. */
export class Trails {
  private readonly trails = new Map<string, Trail>();

  /** Of these devices they are kept, of no others. */
  keep(ids: readonly string[]): void {
    for (const id of this.trails.keys()) if (!ids.includes(id)) this.trails.delete(id);
    for (const id of ids) if (!this.trails.has(id)) this.trails.set(id, new Trail());
  }

  /** Begins all of them anew. */
  clear(): void {
    const ids = [...this.trails.keys()];
    this.trails.clear();
    this.keep(ids);
  }

  /** Adds a place to that of a device, if it is kept. */
  add(id: string, x: number, y: number): void {
    this.trails.get(id)?.add(x, y);
  }

  /** Draws them, each fading towards its beginning. */
  draw(context: Context, view: SceneView, color: string): void {
    for (const trail of this.trails.values()) trail.draw(context, view, color);
  }
}

/** A ring of the newest places of a vehicle. */
class Trail {
  private readonly x = new Float64Array(LENGTH);
  private readonly y = new Float64Array(LENGTH);
  private next = 0;
  private count = 0;

  /** Adds a place, unless the vehicle has not left the last one. */
  add(x: number, y: number): void {
    const last = (this.next + LENGTH - 1) % LENGTH;
    if (this.count > 0 && this.x[last] === x && this.y[last] === y) return;
    this.x[this.next] = x;
    this.y[this.next] = y;
    this.next = (this.next + 1) % LENGTH;
    this.count = Math.min(LENGTH, this.count + 1);
  }

  /** Draws it, fading towards its beginning. */
  draw(context: Context, view: SceneView, color: string): void {
    if (this.count < 2) return;
    const scale = worldPixels(view.zoom);
    const first = (this.next + LENGTH - this.count) % LENGTH;
    context.strokeStyle = color;
    context.lineWidth = 3;
    context.lineCap = 'round';
    for (let step = 1; step < this.count; step++) {
      const from = (first + step - 1) % LENGTH;
      const to = (first + step) % LENGTH;
      context.globalAlpha = 0.15 + (0.65 * step) / this.count;
      context.beginPath();
      context.moveTo((this.x[from] ?? 0) * scale - view.originX, (this.y[from] ?? 0) * scale - view.originY);
      context.lineTo((this.x[to] ?? 0) * scale - view.originX, (this.y[to] ?? 0) * scale - view.originY);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}
