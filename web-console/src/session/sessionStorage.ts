import type { SessionUser } from '@/api/generated';
import { readClaims, type Claims } from './claims';

/** What is kept of a session, in memory and in the browser. */
export interface StoredSession {
  token: string | null;
  user: SessionUser | null;
  claims: Claims | null;
  /** Whose fleet is looked at; the user's own until another is chosen. */
  selectedUserId: string | null;
}

/** Nobody is signed in. */
export const NO_SESSION: StoredSession = { token: null, user: null, claims: null, selectedUserId: null };

/** The key whose change another tab listens to. */
export const TOKEN_KEY = 'token';
const USER_KEY = 'user';
const CLAIMS_KEY = 'claims';
const SELECTED_USER_KEY = 'selected_user_id';

/** Reads the session that this browser keeps. */
export function loadSession(): StoredSession {
  try {
    const token = localStorage.getItem(TOKEN_KEY);
    const user = JSON.parse(localStorage.getItem(USER_KEY) ?? 'null') as SessionUser | null;
    const claims = token ? readClaims(token) : null;
    if (!token || !user || !claims) return NO_SESSION;
    return { token, user, claims, selectedUserId: localStorage.getItem(SELECTED_USER_KEY) ?? claims.userId };
  } catch {
    return NO_SESSION;
  }
}

/** Writes the session, or removes every trace of it when there is none. */
export function saveSession(session: StoredSession): void {
  try {
    if (!session.token) {
      for (const key of [TOKEN_KEY, USER_KEY, CLAIMS_KEY, SELECTED_USER_KEY]) localStorage.removeItem(key);
      return;
    }
    localStorage.setItem(USER_KEY, JSON.stringify(session.user));
    localStorage.setItem(CLAIMS_KEY, JSON.stringify(session.claims));
    if (session.selectedUserId) localStorage.setItem(SELECTED_USER_KEY, session.selectedUserId);
    // Last, because other tabs act on it.
    localStorage.setItem(TOKEN_KEY, session.token);
  } catch {
    // A browser without storage keeps the session for as long as the page is open.
  }
}
