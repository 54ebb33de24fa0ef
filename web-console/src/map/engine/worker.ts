import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { CanvasHandover, SceneMessage, SceneReport } from './protocol';
import { SceneLoop } from './sceneLoop';

/** The part of a worker's global scope that is used here; the page's types know another `postMessage`. */
interface WorkerScope {
  fonts: FontFaceSet;
  onmessage: ((event: MessageEvent<CanvasHandover | SceneMessage>) => void) | null;
  postMessage: (report: SceneReport) => void;
}

const scope = self as unknown as WorkerScope;
let loop: SceneLoop | null = null;

scope.onmessage = ({ data }) => {
  if (data.type === 'canvas') loop = new SceneLoop(data.canvas, (report) => scope.postMessage(report));
  else loop?.handle(data);
};

// A worker does not see the fonts of the page. Without this one, names are written in the system's.
void new FontFace('Inter Variable', `url(${interUrl})`, { weight: '100 900' }).load().then(
  (font) => scope.fonts.add(font),
  () => undefined,
);
