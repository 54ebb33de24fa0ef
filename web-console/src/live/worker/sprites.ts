import type { Appearance } from '../protocol';
import { VEHICLE_STATES, type VehicleState } from '../vehicleState';
import { paintKind } from './kinds';

/** Edge of a sprite in CSS pixels. */
export const SPRITE_SIZE = 34;
const HEADINGS = 64;
const KINDS = 8;
/** Sprites side by side in the atlas. */
const COLUMNS = 28;
/** Every state once, the moving ones in every heading, each in every kind. */
const ROWS = Math.ceil(((HEADINGS + VEHICLE_STATES.length) * KINDS) / COLUMNS);

type Context = OffscreenCanvasRenderingContext2D;

/** Pictures of vehicles in one canvas, painted when they are first needed: drawing one is a copy. */
export class SpriteAtlas {
  private readonly surface: OffscreenCanvas;
  private readonly context: Context | null;
  private readonly places = new Map<number, number>();
  private readonly edge: number;
  private readonly appearance: Appearance;
  private readonly pixelRatio: number;

  constructor(appearance: Appearance, pixelRatio: number) {
    this.appearance = appearance;
    this.pixelRatio = pixelRatio;
    this.edge = Math.ceil(SPRITE_SIZE * pixelRatio);
    this.surface = new OffscreenCanvas(this.edge * COLUMNS, this.edge * ROWS);
    this.context = this.surface.getContext('2d');
  }

  /** Draws a vehicle at a point: its state by its place in `VEHICLE_STATES`, its kind by its place in `ICON_TYPES`. */
  draw(onto: Context, stateCode: number, heading: number, kind: number, x: number, y: number): void {
    const state = VEHICLE_STATES[stateCode] ?? 'no_data';
    const turn = state === 'moving' ? Math.round((heading / 360) * HEADINGS) % HEADINGS : 0;
    const key = (stateCode * HEADINGS + turn) * KINDS + kind;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(key, place);
      this.paint(place, state, (turn / HEADINGS) * 2 * Math.PI, kind);
    }
    const { edge } = this;
    const half = SPRITE_SIZE / 2;
    const left = (place % COLUMNS) * edge;
    const top = Math.floor(place / COLUMNS) * edge;
    onto.drawImage(this.surface, left, top, edge, edge, x - half, y - half, SPRITE_SIZE, SPRITE_SIZE);
  }

  private paint(place: number, state: VehicleState, angle: number, kind: number): void {
    const { context, edge, pixelRatio, appearance } = this;
    if (!context) return;
    const middle = edge / 2;
    context.setTransform(
      pixelRatio,
      0,
      0,
      pixelRatio,
      (place % COLUMNS) * edge + middle,
      Math.floor(place / COLUMNS) * edge + middle,
    );
    context.lineJoin = 'round';
    context.setLineDash([]);
    paintState(context, state, angle, kind !== 0, appearance.states[state], appearance.outline);
    if (kind === 0) return;
    const filled = state === 'moving' || state === 'parked' || state === 'alarm';
    paintKind(context, kind, filled ? appearance.outline : appearance.states[state]);
  }
}

/** The outline of a state; larger when the kind of vehicle is drawn into it. */
function shape(context: Context, state: VehicleState, angle: number, large: boolean): void {
  context.beginPath();
  switch (state) {
    case 'moving':
      if (large) {
        // A disc with a beak in its heading, so that what is in it stays upright.
        const arrowTip = 0.72;
        context.arc(0, 0, 10, angle - Math.PI / 2 + arrowTip, angle - Math.PI / 2 - arrowTip + 2 * Math.PI);
        context.lineTo(15.5 * Math.sin(angle), -15.5 * Math.cos(angle));
      } else {
        const sin = Math.sin(angle);
        const cos = Math.cos(angle);
        const corner = (x: number, y: number) => [x * cos - y * sin, x * sin + y * cos] as const;
        context.moveTo(...corner(0, -11));
        context.lineTo(...corner(8.5, 9.5));
        context.lineTo(...corner(0, 5));
        context.lineTo(...corner(-8.5, 9.5));
      }
      context.closePath();
      break;
    case 'parked':
      if (large) context.roundRect(-9.5, -9.5, 19, 19, 3.5);
      else context.roundRect(-7, -7, 14, 14, 2.5);
      break;
    case 'alarm': {
      const reach = large ? 14 : 11;
      context.moveTo(0, -reach);
      context.lineTo(reach, 0);
      context.lineTo(0, reach);
      context.lineTo(-reach, 0);
      context.closePath();
      break;
    }
    default:
      context.arc(0, 0, large ? 10 : 7, 0, 2 * Math.PI);
  }
}

/** The shape carries the meaning, the colour repeats it: every state can be told without seeing colours. */
function paintState(
  context: Context,
  state: VehicleState,
  angle: number,
  large: boolean,
  color: string,
  outline: string,
): void {
  const hollow = state === 'idle' || state === 'offline' || state === 'no_data';
  const line = state === 'idle' ? (large ? 3.5 : 4.5) : 2;
  shape(context, state, angle, large);
  context.strokeStyle = outline;
  context.lineWidth = hollow ? line + 3 : 4;
  context.stroke();
  shape(context, state, angle, large);
  if (hollow) {
    context.fillStyle = outline;
    context.fill();
    context.strokeStyle = color;
    context.lineWidth = line;
    if (state === 'no_data') context.setLineDash([3, 2.5]);
    context.stroke();
    context.setLineDash([]);
  } else {
    context.fillStyle = color;
    context.fill();
  }
  if (state === 'alarm' && !large) {
    context.fillStyle = outline;
    context.fillRect(-1.25, -5.5, 2.5, 6.5);
    context.fillRect(-1.25, 2.75, 2.5, 2.5);
  }
}
