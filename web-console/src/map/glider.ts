import { progress } from '@/live/motion';
import type { GlideReport } from '@/live/protocol';

/** Says where a vehicle is drawn, in the unit square of Mercator: in every frame while it glides, else when asked. */
export class Glider {
  private glide: GlideReport | null = null;
  private frame = 0;

  private readonly place: (x: number, y: number) => void;

  constructor(place: (x: number, y: number) => void) {
    this.place = place;
  }

  /** The vehicle takes this way from now on. */
  follow(glide: GlideReport): void {
    this.glide = glide;
    this.again();
  }

  /** Says it again with the next frame. */
  again(): void {
    if (this.frame === 0 && this.glide) this.frame = requestAnimationFrame(() => this.notify());
  }

  /** Says no more. */
  stop(): void {
    cancelAnimationFrame(this.frame);
    this.glide = null;
  }

  private notify(): void {
    this.frame = 0;
    if (!this.glide) return;
    const { fromX, fromY, toX, toY, start, duration } = this.glide;
    const part = progress(start, duration, performance.timeOrigin + performance.now());
    this.place(fromX + (toX - fromX) * part, fromY + (toY - fromY) * part);
    if (part < 1) this.again();
  }
}
