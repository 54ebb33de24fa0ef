import type { CanvasHandover, SceneMessage, SceneReport } from './protocol';
import { SceneLoop } from './sceneLoop';

/** Draws vehicles on a canvas. The map behind it may be any that can say what part of the world it shows. */
export interface VehicleRenderer {
  send: (message: Exclude<SceneMessage, { type: 'hit' | 'stop' }>) => void;
  /** The vehicle at a point of the canvas. */
  hitTest: (x: number, y: number) => Promise<string | null>;
  stop: () => void;
}

/** Told after a frame: which view is on the canvas, and how many vehicles. */
export type OnDrawn = (viewId: number, visible: number) => void;

/** A renderer in a worker, so that thousands of vehicles never hold up the page; in the page where that is not possible. */
export function createRenderer(canvas: HTMLCanvasElement, onDrawn: OnDrawn): VehicleRenderer {
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return inPage(canvas, onDrawn);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const offscreen = canvas.transferControlToOffscreen();
  const handover: CanvasHandover = { type: 'canvas', canvas: offscreen };
  worker.postMessage(handover, [offscreen]);
  return connect((message) => worker.postMessage(message), onDrawn, (receive) => {
    worker.onmessage = (event: MessageEvent<SceneReport>) => receive(event.data);
    return () => worker.terminate();
  });
}

function inPage(canvas: HTMLCanvasElement, onDrawn: OnDrawn): VehicleRenderer {
  let receive: (report: SceneReport) => void = () => undefined;
  const loop = new SceneLoop(canvas, (report) => receive(report));
  return connect((message) => loop.handle(message), onDrawn, (listener) => {
    receive = listener;
    return () => undefined;
  });
}

function connect(
  post: (message: SceneMessage) => void,
  onDrawn: OnDrawn,
  listen: (receive: (report: SceneReport) => void) => () => void,
): VehicleRenderer {
  const waiting = new Map<number, (id: string | null) => void>();
  let requests = 0;
  const end = listen((report) => {
    if (report.type === 'drawn') return onDrawn(report.viewId, report.visible);
    waiting.get(report.request)?.(report.id);
    waiting.delete(report.request);
  });
  return {
    send: post,
    hitTest: (x, y) =>
      new Promise((resolve) => {
        const request = ++requests;
        waiting.set(request, resolve);
        post({ type: 'hit', x, y, request });
      }),
    stop: () => {
      post({ type: 'stop' });
      end();
      for (const resolve of waiting.values()) resolve(null);
    },
  };
}
