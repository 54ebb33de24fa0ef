import { answered, unanswered, wentOffline, type Network } from './networkSlice';

/** Answered by every server, signed in or not, and small. */
const PROBE_PATH = '/.well-known/jwks.json';
/** The first look comes this soon; the pauses double from there. */
const FIRST_MS = 1_000;
const LONGEST_MS = 10_000;
/** A probe that takes longer failed. */
const PROBE_TIMEOUT_MS = 5_000;

/** What the watch needs of the store. */
export interface NetworkPort {
  current: () => Network;
  subscribe: (listener: () => void) => () => void;
  dispatch: (
    action: ReturnType<typeof answered> | ReturnType<typeof unanswered> | ReturnType<typeof wentOffline>,
  ) => void;
  /** The server answers again after it did not. */
  onBack: () => void;
}

let lookNow: () => void = () => undefined;

/** Looks at once whether the server is back. */
export const checkNetwork = (): void => lookNow();

/** Looks for a server that does not answer until it is back. Returns what stops it. */
export function watchNetwork(port: NetworkPort): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known = port.current();
  let pause = FIRST_MS;

  const look = async () => {
    clearTimeout(timer);
    const isUp = port.current() === 'up';
    const answers = await isAnswering();
    // It came back, or went away, while this looked.
    if (isUp !== (port.current() === 'up')) return;
    if (answers && isUp) return;
    if (answers) return port.dispatch(answered());
    port.dispatch(unanswered());
    clearTimeout(timer);
    timer = setTimeout(() => void look(), pause);
    pause = Math.min(pause * 2, LONGEST_MS);
  };

  const unsubscribe = port.subscribe(() => {
    const before = known;
    known = port.current();
    if (before === 'up' && known !== 'up') {
      pause = FIRST_MS;
      timer = setTimeout(() => void look(), pause);
    } else if (before !== 'up' && known === 'up') {
      clearTimeout(timer);
      port.onBack();
    }
  });
  lookNow = () => void look();
  const onOffline = () => port.dispatch(wentOffline());
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', lookNow);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', lookNow);
  };
}

async function isAnswering(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(new URL(PROBE_PATH, window.location.origin), { cache: 'no-store', signal });
    return response.ok;
  } catch {
    return false;
  }
}
