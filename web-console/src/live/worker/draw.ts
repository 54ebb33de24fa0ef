import { worldPixels } from '@/lib/mercator';
import type { Appearance, SceneView } from '../protocol';
import { STATE_CODES } from '../vehicleState';
import { Cells, drawBubbles, gather, type Bubble } from './bubbles';
import type { Fleet } from './fleet';
import type { Placement } from './glides';
import type { MapFilter, OnMap } from './mapFilter';
import { drawLabels } from './labels';
import { PULSE_FRAME_MS, PULSE_MS } from './pulse';
import { SPRITE_SIZE, type SpriteAtlas } from './sprites';
import type { Trails } from './trail';

/** More vehicles than these in view are all counted in bubbles instead of drawn one by one. */
export const CROWD_LIMIT = 4_000;
/** From afar, more vehicles than these in one cell would hide each other: they become one bubble among the others. */
export const CELL_LIMIT = 5;
/** From here on vehicles are drawn one by one, however near to each other. */
const APART_ZOOM = 12;
/** Names are written while no more vehicles than these are in view, or when the map is this close. */
const LABEL_LIMIT = 300;
const LABEL_ZOOM = 14;
/** Kinds of vehicles can be told from here on, while they are few. */
const KIND_ZOOM = 12;
const KIND_LIMIT = 500;
/** The next frame is worth drawing when something has moved this far, in CSS pixels. */
const STEP = 0.5;
/** Frames of something that moves are at most and at least this far apart; counts of a crowd change slowly. */
export const SLOWEST_FRAME_MS = 250;
const TURN_FRAME_MS = 50;

/** The context of a canvas in a worker. */
export type Context = OffscreenCanvasRenderingContext2D;

/** What one frame needs. */
export interface Frame {
  context: Context;
  fleet: Fleet;
  view: SceneView;
  appearance: Appearance;
  atlas: SpriteAtlas;
  filter: MapFilter;
  /** These are marked, and lie on top. */
  chosen: readonly string[];
  trails: Trails;
  /** Time of the frame, for movement. */
  now: number;
  /** Time of day, for age. */
  clock: number;
}

/** What a frame put on the canvas: the rows in view and where, for the hit test. */
export interface Drawn {
  /** Vehicles in view. */
  inView: number;
  /** Whether these are too many to be drawn one by one. */
  isCrowd: boolean;
  /** Those of them that are drawn one by one; the columns hold these. */
  count: number;
  rows: Int32Array;
  x: Float32Array;
  y: Float32Array;
  heading: Float32Array;
  state: Uint8Array;
  /** What stands for vehicles where they are too many. */
  bubbles: Bubble[];
  /** Milliseconds until the next frame would look different; infinite when nothing moves. */
  next: number;
}

/** Room for the result of a frame, used again and again. */
export function createDrawn(capacity: number): Drawn {
  return {
    inView: 0,
    isCrowd: false,
    count: 0,
    rows: new Int32Array(capacity),
    x: new Float32Array(capacity),
    y: new Float32Array(capacity),
    heading: new Float32Array(capacity),
    state: new Uint8Array(capacity),
    bubbles: [],
    next: Infinity,
  };
}

/** Draws every vehicle in view. `drawn` must have room for all rows of the fleet. */
export function drawFrame(frame: Frame, drawn: Drawn): void {
  const { context, view, filter, clock } = frame;
  const onMap = filter.onMap(clock);
  drawn.isCrowd = !collect(frame, onMap, drawn);
  if (drawn.isCrowd) collectCrowd(frame, onMap, drawn);
  else if (view.zoom < APART_ZOOM) gather(frame, drawn, CELL_LIMIT);
  context.setTransform(view.pixelRatio, 0, 0, view.pixelRatio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  if (frame.appearance.trails) frame.trails.draw(context, view, frame.appearance.trail);
  drawBubbles(frame, drawn);
  drawSprites(frame, drawn);
  const few = drawn.inView <= LABEL_LIMIT && view.zoom >= frame.appearance.namesFrom;
  if (few || view.zoom >= LABEL_ZOOM) drawLabels(frame, drawn);
}

/** Vehicles that are drawn on their way, and how soon that shows. */
class Movement {
  private fastest = 0;
  private isTurning = false;

  /** A vehicle is drawn; `scale` is the pixels of the world. */
  add({ glides }: Fleet, row: number, now: number, scale: number): void {
    if (!glides.isGliding(row, now)) return;
    this.fastest = Math.max(this.fastest, glides.pace(row) * scale);
    this.isTurning ||= glides.isTurning(row, now);
  }

  /** Milliseconds until the next frame would look different. */
  next(): number {
    if (this.fastest === 0) return Infinity;
    const step = STEP / this.fastest;
    return Math.min(this.isTurning ? Math.min(step, TURN_FRAME_MS) : step, SLOWEST_FRAME_MS);
  }
}

function clear(drawn: Drawn): void {
  drawn.count = 0;
  drawn.bubbles = [];
}

/** Puts every vehicle in view where it is drawn; false as soon as they are a crowd. */
function collect({ fleet, view, now }: Frame, onMap: OnMap, drawn: Drawn): boolean {
  const scale = worldPixels(view.zoom);
  const at: Placement = { x: 0, y: 0, heading: 0 };
  const movement = new Movement();
  clear(drawn);
  for (let index = 0; index < onMap.count; index++) {
    const row = onMap.rows[index] ?? 0;
    fleet.glides.place(row, now, at);
    const x = at.x * scale - view.originX;
    const y = at.y * scale - view.originY;
    if (!isInView(view, x, y)) continue;
    if (drawn.count === CROWD_LIMIT) return false;
    put(drawn, row, x, y, at.heading, onMap.states[index] ?? 0);
    movement.add(fleet, row, now, scale);
  }
  drawn.inView = drawn.count;
  drawn.next = movement.next();
  return true;
}

/**
 * Counts a crowd by its cells, where the newest fixes are: a bubble that creeps along says nothing. Only chosen vehicles are
 * drawn one by one.
 */
function collectCrowd({ fleet, view, chosen, now }: Frame, onMap: OnMap, drawn: Drawn): void {
  const scale = worldPixels(view.zoom);
  const at: Placement = { x: 0, y: 0, heading: 0 };
  const movement = new Movement();
  const chosenRows = fleet.rowsOf(chosen);
  const cells = new Cells(view);
  clear(drawn);
  let inView = 0;
  for (let index = 0; index < onMap.count; index++) {
    const row = onMap.rows[index] ?? 0;
    const state = onMap.states[index] ?? 0;
    const isChosen = chosenRows.size > 0 && chosenRows.has(row);
    if (isChosen) fleet.glides.place(row, now, at);
    const x = (isChosen ? at.x : fleet.glides.targetX(row)) * scale - view.originX;
    const y = (isChosen ? at.y : fleet.glides.targetY(row)) * scale - view.originY;
    if (!isInView(view, x, y)) continue;
    inView += 1;
    if (!isChosen) {
      cells.add(x, y, state);
      continue;
    }
    put(drawn, row, x, y, at.heading, state);
    movement.add(fleet, row, now, scale);
  }
  drawn.inView = inView;
  drawn.bubbles = cells.bubbles(0);
  drawn.next = movement.next();
}

function isInView({ width, height }: SceneView, x: number, y: number): boolean {
  return x >= -SPRITE_SIZE && y >= -SPRITE_SIZE && x <= width + SPRITE_SIZE && y <= height + SPRITE_SIZE;
}

function put(drawn: Drawn, row: number, x: number, y: number, heading: number, state: number): void {
  const place = drawn.count++;
  drawn.rows[place] = row;
  drawn.x[place] = x;
  drawn.y[place] = y;
  drawn.heading[place] = heading;
  drawn.state[place] = state;
}

function drawSprites(frame: Frame, drawn: Drawn): void {
  const { context, fleet, view, appearance, chosen, now } = frame;
  const withKind = view.zoom >= KIND_ZOOM && drawn.count <= KIND_LIMIT;
  const chosenRows = fleet.rowsOf(chosen);
  const top: number[] = [];
  for (let place = 0; place < drawn.count; place++) {
    const row = drawn.rows[place] ?? -1;
    const isChosen = chosenRows.has(row);
    if (isChosen) top.push(place);
    if (drawn.state[place] === STATE_CODES.alarm && !appearance.reducedMotion) {
      drawPulse(context, drawn.x[place] ?? 0, drawn.y[place] ?? 0, appearance.states.alarm, now);
      drawn.next = Math.min(drawn.next, PULSE_FRAME_MS);
    }
    if (!isChosen) drawSprite(frame, drawn, place, withKind);
  }
  // The chosen ones lie on top of all others.
  for (const place of top) {
    drawSelection(context, drawn.x[place] ?? 0, drawn.y[place] ?? 0, appearance.selection);
    drawSprite(frame, drawn, place, withKind);
  }
}

function drawSprite(frame: Frame, drawn: Drawn, place: number, withKind: boolean): void {
  const kind = withKind ? (frame.fleet.icon[drawn.rows[place] ?? 0] ?? 0) : 0;
  const state = drawn.state[place] ?? 0;
  frame.atlas.draw(frame.context, state, drawn.heading[place] ?? 0, kind, drawn.x[place] ?? 0, drawn.y[place] ?? 0);
}

function drawSelection(context: Context, x: number, y: number, color: string): void {
  context.beginPath();
  context.arc(x, y, SPRITE_SIZE / 2 + 3, 0, 2 * Math.PI);
  context.globalAlpha = 0.18;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.stroke();
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

/** How far from a vehicle's middle a pointer still means it, in CSS pixels. */
const HIT_RADIUS = 18;

/** The place in `drawn` of the vehicle nearest to a point, or -1. Later ones lie on top and win a draw. */
export function nearestDrawn(drawn: Drawn, x: number, y: number): number {
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
