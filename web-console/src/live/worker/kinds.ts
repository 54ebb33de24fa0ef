import { ICON_TYPES } from '../liveDevice';

type Box = [x: number, y: number, width: number, height: number];
type Wheel = [x: number, radius: number];

/** A vehicle from its side, 12 wide and around the middle: boxes, and wheels below them. */
const SIDES: Record<string, { boxes: Box[]; wheels: Wheel[] }> = {
  car: {
    boxes: [
      [-6, -1, 12, 3],
      [-3.5, -3.5, 6.5, 3],
    ],
    wheels: [
      [-3.5, 1.6],
      [3.5, 1.6],
    ],
  },
  van: {
    boxes: [
      [-6, -4, 10, 6],
      [3.5, -1.5, 2.5, 3.5],
    ],
    wheels: [
      [-3.5, 1.6],
      [3, 1.6],
    ],
  },
  pickup: {
    boxes: [
      [-6, -0.5, 12, 2.5],
      [-0.5, -3.5, 4.5, 3.5],
    ],
    wheels: [
      [-3.5, 1.7],
      [3.5, 1.7],
    ],
  },
  truck: {
    boxes: [
      [-6.5, -4.5, 8, 6.5],
      [2.2, -2, 4.3, 4],
    ],
    wheels: [
      [-4.4, 1.6],
      [-1, 1.6],
      [4, 1.6],
    ],
  },
  bus: {
    boxes: [[-6.5, -4.5, 13, 6.5]],
    wheels: [
      [-3.8, 1.6],
      [3.8, 1.6],
    ],
  },
  motorcycle: {
    boxes: [
      [-3, -1.5, 5.5, 1.8],
      [1, -4, 1.6, 4.5],
    ],
    wheels: [
      [-3.6, 2.3],
      [3.6, 2.3],
    ],
  },
  heavy_equipment: {
    boxes: [
      [-4.5, -0.5, 8, 2.8],
      [-4.5, -4, 4.5, 4],
      [3.5, -4.5, 1.6, 4.5],
      [3.5, -4.5, 3.5, 1.6],
    ],
    wheels: [
      [-3, 2],
      [2, 2],
    ],
  },
};
const AXLE = 2.4;

/** Paints a kind of vehicle, by its place in `ICON_TYPES`, into the middle. */
export function paintKind(context: OffscreenCanvasRenderingContext2D, kind: number, color: string): void {
  const side = SIDES[ICON_TYPES[kind] ?? ''];
  if (!side) return;
  context.fillStyle = color;
  for (const [x, y, width, height] of side.boxes) {
    context.beginPath();
    context.roundRect(x, y, width, height, 0.8);
    context.fill();
  }
  for (const [x, radius] of side.wheels) {
    context.beginPath();
    context.arc(x, AXLE, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
