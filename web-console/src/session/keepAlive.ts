import { onDeviceWake } from '@/lib/wake';
import { renewSession, type Renewal } from './renewal';

/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 60_000;
/** How soon a server that gave no token is asked again. */
const RETRY_MS = 5_000;

/** What the keeper needs of the store. */
export interface SessionPort {
  current: () => { token: string | null; expiresAt: number | null };
  onRenewed: (renewal: Extract<Renewal, { outcome: 'renewed' }>) => void;
  onRefused: () => void;
}

/** Milliseconds until a token that expires then should be renewed; short-lived ones at half their remaining time. */
export function renewalDelay(expiresAt: number, now: number): number {
  const left = expiresAt - now;
  return Math.max(0, left > 2 * RENEW_BEFORE_MS ? left - RENEW_BEFORE_MS : left / 2);
}

/** Renews the session shortly before it expires, for as long as the page is open. Returns what stops it. */
export function keepSessionAlive(port: SessionPort): { reschedule: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void renew(), delay);
  };

  const reschedule = () => {
    clearTimeout(timer);
    const { token, expiresAt } = port.current();
    if (token && expiresAt !== null) schedule(renewalDelay(expiresAt, Date.now()));
  };

  const renew = async () => {
    const { token } = port.current();
    if (!token) return;
    const renewal = await renewSession(token);
    if (port.current().token !== token) return reschedule();
    if (renewal.outcome === 'renewed') port.onRenewed(renewal);
    else if (renewal.outcome === 'refused') port.onRefused();
    else schedule(RETRY_MS);
  };

  const stopListening = onDeviceWake(reschedule);
  reschedule();
  return {
    reschedule,
    stop: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
}
