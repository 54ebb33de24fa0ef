import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { LiveMessage, LiveReport } from '../protocol';
import { LiveWorker } from './liveWorker';

/** The part of a worker's global scope that is used here; the page's types know another `postMessage`. */
interface WorkerScope {
  fonts: FontFaceSet;
  onmessage: ((event: MessageEvent<LiveMessage>) => void) | null;
  postMessage: (report: LiveReport) => void;
}

const scope = self as unknown as WorkerScope;
const live = new LiveWorker((report) => scope.postMessage(report));
scope.onmessage = ({ data }) => live.handle(data);

// A worker does not see the fonts of the page. Without this one, names are written in the system's.
void new FontFace('Inter Variable', `url(${interUrl})`, { weight: '100 900' }).load().then(
  (font) => scope.fonts.add(font),
  () => undefined,
);
