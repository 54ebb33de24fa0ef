import type { UnknownAction } from '@reduxjs/toolkit';
import { userUpdated, type WithSession } from '@/session/sessionSlice';
import type { SessionUser } from './generated';

/** What is needed of the store. */
interface Session {
  getState: () => unknown;
  dispatch: (action: UnknownAction) => unknown;
}

/** Whoever asks meanwhile waits for the same answer. */
const TIMEOUT_MS = 15_000;

let underWay: Promise<void> | null = null;

/**
 * Asks the server who is signed in and what they may do now, so that menus and acts follow; once for however many ask.
 * Without an answer everything stays as it is: the calls themselves are refused or not.
 */
export function refreshAbilities(session: Session): Promise<void> {
  underWay ??= ask(session).finally(() => {
    underWay = null;
  });
  return underWay;
}

async function ask({ getState, dispatch }: Session): Promise<void> {
  const { token } = (getState() as WithSession).session;
  if (!token) return;
  const user = await me(token);
  if (user && (getState() as WithSession).session.token === token) dispatch(userUpdated(user));
}

async function me(token: string): Promise<SessionUser | null> {
  try {
    const response = await fetch(new URL('/api/v1/auth/me', window.location.origin), {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const user = response.ok ? ((await response.json()) as Partial<SessionUser>) : null;
    return user?.id ? (user as SessionUser) : null;
  } catch {
    return null;
  }
}
