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
/** The key of whose fleet is looked at, which is the same in all tabs. */
export const SELECTED_USER_KEY = 'selected_user_id';
/** Why there is no token any more; for the other tabs, and gone with the next token. */
const END_KEY = 'session_end';

/** Reads the session that this browser keeps. */
export function loadSession(): StoredSession {
  try {
    const token = localStorage.getItem(TOKEN_KEY);
    const user = JSON.parse(localStorage.getItem(USER_KEY) ?? 'null') as SessionUser | null;
    const claims = token ? readClaims(token) : null;
    if (!token || !user || !claims) return NO_SESSION;
    const kept = JSON.parse(localStorage.getItem(CLAIMS_KEY) ?? 'null') as Claims | null;
    claims.expiresAt = kept?.expiresAt ?? claims.expiresAt;
    return { token, user, claims, selectedUserId: localStorage.getItem(SELECTED_USER_KEY) ?? claims.userId };
  } catch {
    return NO_SESSION;
  }
}

/** How the session that this browser kept has ended; null when it has not, or was never kept. */
export function storedEndReason(): 'expired' | 'signed_out' | null {
  try {
    const reason = localStorage.getItem(END_KEY);
    return reason === 'expired' || reason === 'signed_out' ? reason : null;
  } catch {
    return null;
  }
}

/** Writes the session, or removes every trace of it when there is none. */
export function saveSession(session: StoredSession & { endReason: string }): void {
  try {
    if (!session.token) {
      localStorage.setItem(END_KEY, session.endReason);
      for (const key of [USER_KEY, CLAIMS_KEY, SELECTED_USER_KEY, TOKEN_KEY]) localStorage.removeItem(key);
      return;
    }
    localStorage.removeItem(END_KEY);
    localStorage.setItem(USER_KEY, JSON.stringify(session.user));
    localStorage.setItem(CLAIMS_KEY, JSON.stringify(session.claims));
    if (session.selectedUserId) localStorage.setItem(SELECTED_USER_KEY, session.selectedUserId);
    // Last, because other tabs act on it.
    localStorage.setItem(TOKEN_KEY, session.token);
  } catch {
    // A browser without storage keeps the session for as long as the page is open.
  }
}
