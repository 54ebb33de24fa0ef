import { live } from './live';

/** After the last screen that needs it the connection stays for this long, so that the next one finds it open. */
const LINGER_MS = 30_000;

/** Screens that need the connection at the moment, and for whom it was opened. */
const shared = {
  screens: 0,
  viewer: null as string | null,
  timer: undefined as ReturnType<typeof setTimeout> | undefined,
};

const retry = () => live.retryNow();

/** A screen needs the connection for the eyes of `viewer`; `start` opens it when it is not open for them already. */
export function acquireConnection(viewer: string, start: () => void): void {
  clearTimeout(shared.timer);
  shared.screens += 1;
  if (shared.viewer === viewer) return;
  if (shared.viewer !== null) endConnection('user_switch');
  shared.viewer = viewer;
  window.addEventListener('online', retry);
  start();
}

/** A screen needs the connection no more. */
export function releaseConnection(): void {
  shared.screens -= 1;
  if (shared.screens > 0) return;
  shared.timer = setTimeout(() => endConnection('manual'), LINGER_MS);
}

function endConnection(reason: 'manual' | 'user_switch'): void {
  shared.viewer = null;
  window.removeEventListener('online', retry);
  live.stop(reason);
}

/** Whether the connection is open for anybody. */
export const isConnectionInUse = (): boolean => shared.viewer !== null;

/** Ends the connection and forgets what it told: another person looks now, or nobody. */
export function resetLive(): void {
  clearTimeout(shared.timer);
  if (shared.viewer !== null) endConnection('user_switch');
  live.clear();
}
