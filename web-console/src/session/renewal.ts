import type { LoginResponse } from '@/api/generated';
import { loadSession } from './sessionStorage';

/**
 * What came of asking for a new token. `unreachable` says nothing about the session: the server may only be away, and
 * nobody is signed out for that. `answered` tells a server in trouble from one that is not there.
 */
export type Renewal =
  | { outcome: 'renewed'; token: string; user: NonNullable<LoginResponse['user']> }
  | { outcome: 'refused' }
  | { outcome: 'unreachable'; answered: boolean };

const LOCK = 'armada.session.renewal';

/** A server that does not answer for so long is away. Other tabs wait for this one, and would wait for as long. */
const TIMEOUT_MS = 15_000;

let underWay: Promise<Renewal> | null = null;

/**
 * Exchanges the refresh cookie for a new token, once for however many callers, and once over all tabs: using a refresh
 * token twice ends the session, so tabs must never race. A tab that waited takes what the other one got.
 */
export function renewSession(staleToken: string | null): Promise<Renewal> {
  underWay ??= withLock(() => renewUnlessDone(staleToken)).finally(() => {
    underWay = null;
  });
  return underWay;
}

/**
 * `navigator.locks` exists only on secure origins. Elsewhere the promise above guards this tab, and when tabs race the
 * server gives all of them the same successor.
 */
function withLock(task: () => Promise<Renewal>): Promise<Renewal> {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks ? locks.request(LOCK, task) : task();
}

async function renewUnlessDone(staleToken: string | null): Promise<Renewal> {
  const stored = loadSession();
  const storedExpiry = stored.claims?.expiresAt ?? Infinity;
  if (stored.token && stored.user && stored.token !== staleToken && storedExpiry > Date.now()) {
    return { outcome: 'renewed', token: stored.token, user: stored.user };
  }
  return askServer();
}

async function askServer(): Promise<Renewal> {
  let response: Response;
  try {
    response = await fetch(new URL('/auth/refresh', window.location.origin), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return { outcome: 'unreachable', answered: false };
  }
  if (response.status >= 500 || response.status === 429) return { outcome: 'unreachable', answered: true };
  if (!response.ok) return { outcome: 'refused' };
  const answer = (await response.json().catch(() => null)) as LoginResponse | null;
  if (!answer?.token || !answer.user) return { outcome: 'unreachable', answered: true };
  return { outcome: 'renewed', token: answer.token, user: answer.user };
}
