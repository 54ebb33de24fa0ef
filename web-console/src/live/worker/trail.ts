import { worldPixels } from '@/lib/mercator';
import type { SceneView } from '../protocol';
import type { Context } from './draw';

/** Fixes that are remembered. */
const LENGTH = 240;

/** Where the selected vehicle has been since it was selected: a ring of its newest fixes. */
export class Trail {
  private readonly x = new Float64Array(LENGTH);
  private readonly y = new Float64Array(LENGTH);
  private next = 0;
  private count = 0;

  /** Begins anew. */
  clear(): void {
    this.count = 0;
    this.next = 0;
  }

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
