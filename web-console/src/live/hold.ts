import { live } from './live';

/** After the last screen that needs it the connection stays for this long, so that the next one finds it open. */
const LINGER_MS = 30_000;

/** Screens that need the connection at the moment, and for whom it was opened. */
const held = { by: 0, whose: null as string | null, timer: undefined as ReturnType<typeof setTimeout> | undefined };

const retry = () => live.retryNow();

/** A screen needs the connection for `whose` eyes; `start` opens it when it is not open for them already. */
export function hold(whose: string, start: () => void): void {
  clearTimeout(held.timer);
  held.by += 1;
  if (held.whose === whose) return;
  if (held.whose !== null) endConnection('user_switch');
  held.whose = whose;
  window.addEventListener('online', retry);
  start();
}

/** A screen needs the connection no more. */
export function release(): void {
  held.by -= 1;
  if (held.by > 0) return;
  held.timer = setTimeout(() => endConnection('manual'), LINGER_MS);
}

function endConnection(reason: 'manual' | 'user_switch'): void {
  held.whose = null;
  window.removeEventListener('online', retry);
  live.stop(reason);
}

/** Whether the connection is open for anybody. */
export const isHeld = (): boolean => held.whose !== null;

/** Ends the connection and forgets what it told: another person looks now, or nobody. */
export function forgetLive(): void {
  clearTimeout(held.timer);
  if (held.whose !== null) endConnection('user_switch');
  live.clear();
}
