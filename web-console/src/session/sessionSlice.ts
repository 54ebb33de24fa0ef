import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SessionUser } from '@/api/generated';
import { personOf, readClaims } from './claims';
import { NO_SESSION, loadSession, type StoredSession } from './sessionStorage';

/** Why nobody is signed in; only an expired session leads back to the page that was open. */
export type EndReason = 'never' | 'signed_out' | 'expired';

/** The session as the whole console sees it. */
export interface SessionState extends StoredSession {
  endReason: EndReason;
}

/** The part of the store that holds the session. */
export interface WithSession {
  session: SessionState;
}

const slice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ ...loadSession(), endReason: 'never' }),
  reducers: {
    /** Somebody signed in: the selected user starts again. */
    signedIn: (_state, action: PayloadAction<{ token: string; user: SessionUser }>) =>
      establish(action.payload, null),
    /** The same session with a newer token. */
    renewed: (state, action: PayloadAction<{ token: string; user: SessionUser }>) =>
      establish(action.payload, state.user?.id === action.payload.user.id ? state.selectedUserId : null),
    ended: (_state, action: PayloadAction<Exclude<EndReason, 'never'>>): SessionState => ({
      ...NO_SESSION,
      endReason: action.payload,
    }),
    /** Another tab signed in, renewed or signed out. */
    adopted: (_state, action: PayloadAction<StoredSession>): SessionState => ({
      ...action.payload,
      endReason: action.payload.token ? 'never' : 'signed_out',
    }),
  },
});

function establish(answer: { token: string; user: SessionUser }, selectedUserId: string | null): SessionState {
  const claims = readClaims(answer.token);
  return {
    token: answer.token,
    user: answer.user,
    claims,
    selectedUserId: selectedUserId ?? (claims?.userId || answer.user.id || null),
    endReason: 'never',
  };
}

/** Actions of the session. */
export const { signedIn, renewed, ended, adopted } = slice.actions;
/** Reducer of the session. */
export const sessionReducer = slice.reducer;

/** The session. */
export const selectSession = (state: WithSession) => state.session;
/** The person signed in, or null. */
export const selectPerson = createSelector([selectSession], ({ user, claims }) =>
  user ? personOf(user, claims) : null,
);
