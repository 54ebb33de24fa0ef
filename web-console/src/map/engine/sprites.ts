import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';
import type { Appearance } from './protocol';

/** Edge of a sprite in CSS pixels. */
export const SPRITE_SIZE = 30;
const HEADINGS = 64;

type Surface = OffscreenCanvas | HTMLCanvasElement;
type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** Ready-made pictures of vehicles: drawing one is a copy. */
export class SpriteAtlas {
  private readonly sprites = new Map<number, Surface>();
  private readonly appearance: Appearance;
  private readonly pixelRatio: number;

  constructor(appearance: Appearance, pixelRatio: number) {
    this.appearance = appearance;
    this.pixelRatio = pixelRatio;
  }

  /** The picture of a state, by its place in `VEHICLE_STATES`, with a heading. */
  sprite(stateCode: number, heading: number): Surface {
    const state = VEHICLE_STATES[stateCode] ?? 'no_data';
    const bucket = state === 'moving' ? Math.round((heading / 360) * HEADINGS) % HEADINGS : 0;
    const key = stateCode * HEADINGS + bucket;
    let sprite = this.sprites.get(key);
    if (!sprite) {
      sprite = this.paint(state, (bucket / HEADINGS) * 2 * Math.PI);
      this.sprites.set(key, sprite);
    }
    return sprite;
  }

  private paint(state: VehicleState, angle: number): Surface {
    const surface = createSurface(SPRITE_SIZE * this.pixelRatio);
    const context = surface.getContext('2d') as Context | null;
    if (!context) return surface;
    context.scale(this.pixelRatio, this.pixelRatio);
    context.translate(SPRITE_SIZE / 2, SPRITE_SIZE / 2);
    context.rotate(angle);
    context.lineJoin = 'round';
    paintState(context, state, this.appearance.states[state], this.appearance.outline);
    return surface;
  }
}

function createSurface(size: number): Surface {
  const edge = Math.ceil(size);
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(edge, edge);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = edge;
  return canvas;
}

/** The shape carries the meaning, the colour repeats it: every state can be told without seeing colours. */
function paintState(context: Context, state: VehicleState, color: string, outline: string): void {
  const shape = () => {
    context.beginPath();
    switch (state) {
      case 'moving':
        context.moveTo(0, -11);
        context.lineTo(8.5, 9.5);
        context.lineTo(0, 5);
        context.lineTo(-8.5, 9.5);
        context.closePath();
        break;
      case 'parked':
        context.roundRect(-7, -7, 14, 14, 2.5);
        break;
      case 'alarm':
        context.moveTo(0, -11);
        context.lineTo(11, 0);
        context.lineTo(0, 11);
        context.lineTo(-11, 0);
        context.closePath();
        break;
      default:
        context.arc(0, 0, 7, 0, 2 * Math.PI);
    }
  };

  const hollow = state === 'idle' || state === 'offline' || state === 'no_data';
  shape();
  context.strokeStyle = outline;
  context.lineWidth = hollow ? 7.5 : 4;
  context.stroke();
  shape();
  if (hollow) {
    context.fillStyle = outline;
    context.fill();
    context.strokeStyle = color;
    context.lineWidth = state === 'idle' ? 4.5 : 2;
    if (state === 'no_data') context.setLineDash([3, 2.5]);
    context.stroke();
  } else {
    context.fillStyle = color;
    context.fill();
  }
  if (state === 'alarm') {
    context.fillStyle = outline;
    context.fillRect(-1.25, -5.5, 2.5, 6.5);
    context.fillRect(-1.25, 2.75, 2.5, 2.5);
  }
}
