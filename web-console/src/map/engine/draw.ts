import { ALARM_CODE, type Placement, type Scene } from './scene';
import type { Appearance, SceneView } from './protocol';
import { SPRITE_SIZE, type SpriteAtlas } from './sprites';
import { worldPixels } from './mercator';

/** More vehicles than these in view are counted in bubbles instead of drawn one by one. */
export const CROWD_LIMIT = 4_000;
/** Edge of the cell that a bubble stands for, in CSS pixels. */
const CELL = 72;
/** Names are written while no more vehicles than these are in view. */
const LABEL_LIMIT = 300;
const LABEL_MIN_ZOOM = 9;
/** Half the edge of what a name must not cover. */
const MARK = 9;
const PULSE_MS = 1_600;

type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** What one frame needs. */
export interface Frame {
  context: Context;
  scene: Scene;
  view: SceneView;
  appearance: Appearance;
  atlas: SpriteAtlas;
  names: ReadonlyMap<string, string>;
  /** Bit of each state that is shown, by its place in `VEHICLE_STATES`. */
  shownStates: number;
  selected: string | null;
  /** Time of the frame, for movement. */
  now: number;
  /** Time of day, for age. */
  clock: number;
}

/** What a frame put on the canvas: the rows in view and where, for the hit test. */
export interface Drawn {
  count: number;
  rows: Int32Array;
  x: Float32Array;
  y: Float32Array;
  heading: Float32Array;
  state: Uint8Array;
  crowded: boolean;
  /** Whether the next frame would look different. */
  animating: boolean;
}

/** Room for the result of a frame, used again and again. */
export function createDrawn(capacity: number): Drawn {
  return {
    count: 0,
    rows: new Int32Array(capacity),
    x: new Float32Array(capacity),
    y: new Float32Array(capacity),
    heading: new Float32Array(capacity),
    state: new Uint8Array(capacity),
    crowded: false,
    animating: false,
  };
}

/** Draws every vehicle in view. `drawn` must have room for all vehicles of the scene. */
export function drawFrame(frame: Frame, drawn: Drawn): void {
  collect(frame, drawn);
  const { context, view } = frame;
  context.setTransform(view.pixelRatio, 0, 0, view.pixelRatio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  drawn.crowded = drawn.count > CROWD_LIMIT;
  if (drawn.crowded) return drawBubbles(frame, drawn);
  drawSprites(frame, drawn);
  if (drawn.count <= LABEL_LIMIT && view.zoom >= LABEL_MIN_ZOOM) drawLabels(frame, drawn);
}

function collect({ scene, view, shownStates, selected, now, clock }: Frame, drawn: Drawn): void {
  const scale = worldPixels(view.zoom);
  const at: Placement = { x: 0, y: 0, heading: 0 };
  const selectedRow = selected === null ? undefined : scene.row(selected);
  drawn.count = 0;
  drawn.animating = false;
  for (let row = 0; row < scene.size; row++) {
    const state = scene.stateCode(row, clock);
    if ((shownStates & (1 << state)) === 0 && row !== selectedRow) continue;
    scene.place(row, now, at);
    const x = at.x * scale - view.originX;
    const y = at.y * scale - view.originY;
    if (x < -SPRITE_SIZE || y < -SPRITE_SIZE || x > view.width + SPRITE_SIZE || y > view.height + SPRITE_SIZE) continue;
    const place = drawn.count++;
    drawn.rows[place] = row;
    drawn.x[place] = x;
    drawn.y[place] = y;
    drawn.heading[place] = at.heading;
    drawn.state[place] = state;
    drawn.animating ||= scene.isGliding(row, now);
  }
}

function drawSprites({ context, scene, appearance, atlas, selected, now }: Frame, drawn: Drawn): void {
  const half = SPRITE_SIZE / 2;
  for (let place = 0; place < drawn.count; place++) {
    const x = drawn.x[place] ?? 0;
    const y = drawn.y[place] ?? 0;
    const state = drawn.state[place] ?? 0;
    if (state === ALARM_CODE && !appearance.reducedMotion) {
      drawPulse(context, x, y, appearance.states.alarm, now);
      drawn.animating = true;
    }
    if (selected !== null && scene.ids[drawn.rows[place] ?? -1] === selected) {
      context.beginPath();
      context.arc(x, y, half + 4, 0, 2 * Math.PI);
      context.globalAlpha = 0.18;
      context.fillStyle = appearance.selection;
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = appearance.selection;
      context.lineWidth = 2;
      context.stroke();
    }
    context.drawImage(atlas.sprite(state, drawn.heading[place] ?? 0), x - half, y - half, SPRITE_SIZE, SPRITE_SIZE);
  }
}

function drawPulse(context: Context, x: number, y: number, color: string, now: number): void {
  const part = (now % PULSE_MS) / PULSE_MS;
  context.beginPath();
  context.arc(x, y, 10 + 14 * part, 0, 2 * Math.PI);
  context.globalAlpha = 0.5 * (1 - part);
  context.strokeStyle = color;
  context.lineWidth = 3;
  context.stroke();
  context.globalAlpha = 1;
}

function drawLabels({ context, scene, appearance, names }: Frame, drawn: Drawn): void {
  context.font = `600 11px ${appearance.fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = appearance.labelHalo;
  context.fillStyle = appearance.label;
  const taken: [left: number, top: number, right: number, bottom: number][] = [];
  for (let place = 0; place < drawn.count; place++) {
    const x = drawn.x[place] ?? 0;
    const y = drawn.y[place] ?? 0;
    taken.push([x - MARK, y - MARK, x + MARK, y + MARK]);
  }
  for (let place = 0; place < drawn.count; place++) {
    const name = names.get(scene.ids[drawn.rows[place] ?? -1] ?? '');
    if (!name) continue;
    const x = drawn.x[place] ?? 0;
    const top = (drawn.y[place] ?? 0) + SPRITE_SIZE / 2 - 2;
    const half = context.measureText(name).width / 2 + 2;
    const covered = taken.some(([l, t, r, b]) => x - half < r && x + half > l && top < b && top + 14 > t);
    if (covered) continue;
    taken.push([x - half, top, x + half, top + 14]);
    context.strokeText(name, x, top);
    context.fillText(name, x, top);
  }
}

function drawBubbles({ context, view, appearance }: Frame, drawn: Drawn): void {
  // Cells are anchored to the world, so that bubbles stay where they are while the map is dragged.
  const shiftX = view.originX - Math.floor(view.originX / CELL) * CELL;
  const shiftY = view.originY - Math.floor(view.originY / CELL) * CELL;
  const columns = Math.ceil(view.width / CELL) + 3;
  const cells = new Map<number, { count: number; x: number; y: number }>();
  for (let place = 0; place < drawn.count; place++) {
    const x = drawn.x[place] ?? 0;
    const y = drawn.y[place] ?? 0;
    const key = (Math.floor((y + shiftY) / CELL) + 1) * columns + Math.floor((x + shiftX) / CELL) + 1;
    const cell = cells.get(key);
    if (cell) {
      cell.count += 1;
      cell.x += x;
      cell.y += y;
    } else {
      cells.set(key, { count: 1, x, y });
    }
  }
  context.font = `600 12px ${appearance.fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { count, x, y } of cells.values()) {
    const centreX = x / count;
    const centreY = y / count;
    context.beginPath();
    context.arc(centreX, centreY, 12 + Math.min(14, Math.log2(count)), 0, 2 * Math.PI);
    context.fillStyle = appearance.cluster;
    context.fill();
    context.strokeStyle = appearance.outline;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = appearance.clusterText;
    context.fillText(shortCount(count), centreX, centreY);
  }
}

/** A count that fits into a bubble. */
export function shortCount(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** How far from a vehicle's middle a pointer still means it, in CSS pixels. */
export const HIT_RADIUS = 18;

/** The place in `drawn` of the vehicle nearest to a point, or -1. Later ones lie on top and win a draw. */
export function nearestDrawn(drawn: Drawn, x: number, y: number): number {
  if (drawn.crowded) return -1;
  let best = -1;
  let bestDistance = HIT_RADIUS * HIT_RADIUS;
  for (let place = 0; place < drawn.count; place++) {
    const dx = (drawn.x[place] ?? 0) - x;
    const dy = (drawn.y[place] ?? 0) - y;
    const distance = dx * dx + dy * dy;
    if (distance <= bestDistance) {
      best = place;
      bestDistance = distance;
    }
  }
  return best;
}
