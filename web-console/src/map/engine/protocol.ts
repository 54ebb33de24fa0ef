import type { VehicleState } from '@/live/vehicleState';
import type { VehicleFix } from './scene';

/** What part of the world a canvas shows, and how finely. */
export interface SceneView {
  zoom: number;
  /** World pixels of the canvas' left upper corner at that zoom. */
  originX: number;
  originY: number;
  /** CSS pixels. */
  width: number;
  height: number;
  pixelRatio: number;
}

/** Colours and manners; the engine knows no theme. */
export interface Appearance {
  states: Record<VehicleState, string>;
  outline: string;
  selection: string;
  label: string;
  labelHalo: string;
  cluster: string;
  clusterText: string;
  fontFamily: string;
  reducedMotion: boolean;
}

/** What the map tells the engine, in this thread or across to a worker. */
export type SceneMessage =
  | { type: 'view'; view: SceneView; viewId: number }
  | { type: 'update'; fixes: VehicleFix[] }
  | { type: 'names'; names: Record<string, string> }
  | { type: 'select'; id: string | null }
  | { type: 'filter'; states: VehicleState[] | null }
  | { type: 'appearance'; appearance: Appearance }
  | { type: 'clear' }
  | { type: 'hit'; x: number; y: number; request: number }
  | { type: 'stop' };

/** What the engine answers. */
export type SceneReport =
  /** A frame of this view is on the canvas. */
  | { type: 'drawn'; viewId: number; visible: number }
  | { type: 'hit'; request: number; id: string | null };

/** The first message to a worker. */
export interface CanvasHandover {
  type: 'canvas';
  canvas: OffscreenCanvas;
}
