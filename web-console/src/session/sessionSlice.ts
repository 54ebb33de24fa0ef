import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SessionUser } from '@/api/generated';
import { personOf, readClaims } from './claims';
import { NO_SESSION, loadSession, storedEndReason, type StoredSession } from './sessionStorage';

/** Why nobody is signed in; only an expired session leads back to the page that was open. */
export type EndReason = 'never' | 'signed_out' | 'expired';

/**
 * The session as the whole console sees it. A user without a token is one whose session ended while they were working:
 * their screen stays as it is, and waits for them to sign in again.
 */
export interface SessionState extends StoredSession {
  endReason: EndReason;
}

/** The part of the store that holds the session. */
export interface WithSession {
  session: SessionState;
}

/** What signing in and renewing bring. */
interface Granted {
  token: string;
  user: SessionUser;
}

const slice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ ...loadSession(), endReason: 'never' }),
  reducers: {
    /** Somebody signed in. Who comes back to their screen finds it as it was; for others the selected user starts again. */
    signedIn: (state, action: PayloadAction<Granted>) => establish(state, action.payload),
    /** The same session with a newer token. */
    renewed: (state, action: PayloadAction<Granted>) => establish(state, action.payload),
    /** What the server says of the person now; it may be more or less than before. */
    userUpdated: (state, action: PayloadAction<SessionUser>) => {
      const user = action.payload;
      if (state.user?.id !== user.id) return;
      state.user = user;
      // The token is older than this.
      if (state.claims) {
        state.claims.roles = user.roles;
        state.claims.isPlatformOwner = user.is_platform_owner;
        state.claims.isTenantAdmin = user.is_tenant_admin;
        state.claims.isSubscriptionUser = user.is_subscription_user;
        state.claims.policyVersion = user.policy_version;
      }
    },
    /** Another user whose fleet is looked at; null for one's own again. */
    userSelected: (state, action: PayloadAction<string | null>) => {
      if (state.user) state.selectedUserId = action.payload ?? ownId(state);
    },
    /** The session ended under the hands of its user. */
    interrupted: (state): SessionState => interruptedOf(state),
    /** Nobody is signed in, and nothing is left of who was. */
    ended: (_state, action: PayloadAction<Exclude<EndReason, 'never'>>): SessionState => ({
      ...NO_SESSION,
      endReason: action.payload,
    }),
    /** What another tab made of the session. */
    adopted: (
      state,
      action: PayloadAction<{ stored: StoredSession; end: Exclude<EndReason, 'never'> | null }>,
    ): SessionState => {
      const { stored, end } = action.payload;
      if (stored.token) return { ...stored, endReason: 'never' };
      return end === 'expired' ? interruptedOf(state) : { ...NO_SESSION, endReason: 'signed_out' };
    },
  },
});

function establish(state: SessionState, { token, user }: Granted): SessionState {
  const claims = readClaims(token, Date.now());
  const selectedUserId = state.user?.id === user.id ? state.selectedUserId : null;
  return { token, user, claims, selectedUserId: selectedUserId ?? ownId({ user, claims }), endReason: 'never' };
}

const ownId = ({ user, claims }: Pick<SessionState, 'user' | 'claims'>) => claims?.userId || user?.id || null;

const interruptedOf = ({ user, selectedUserId }: SessionState): SessionState => ({
  token: null,
  claims: null,
  user,
  selectedUserId,
  endReason: 'expired',
});

/** Actions of the session. */
export const { signedIn, renewed, userUpdated, userSelected, interrupted, ended, adopted } = slice.actions;
/**
 * What it means that the session is not renewed: it has ended under the hands of its user, unless another tab signed out
 * and this one has not heard of it yet.
 */
export const renewalRefused = () => (storedEndReason() === 'signed_out' ? ended('signed_out') : interrupted());
/** Reducer of the session. */
export const sessionReducer = slice.reducer;

/** The session. */
export const selectSession = (state: WithSession) => state.session;
/** The person whose screen it is, or null. */
export const selectPerson = createSelector([selectSession], ({ user, claims }) =>
  user ? personOf(user, claims) : null,
);
/** Whose fleet is looked at instead of one's own; null for nobody. Only those can look who may see users. */
export const selectOtherUser = (state: WithSession): string | null => {
  const { user, selectedUserId } = state.session;
  return user?.permissions?.includes('user:list') && selectedUserId !== user.id ? selectedUserId : null;
};
/** Whether they must set up a second factor before anything else. */
export const selectMustSetUpTotp = (state: WithSession): boolean => state.session.user?.must_set_up_totp ?? false;
/** Whether they must change a password that somebody else has set before anything else. */
export const selectMustChangePassword = (state: WithSession): boolean =>
  state.session.user?.must_change_password ?? false;
/** Whether what they see is made up. */
export const selectIsDemo = (state: WithSession): boolean => state.session.user?.is_demo ?? false;
/** The time zone of their tenant; undefined for the browser's. */
export const selectTimeZone = (state: WithSession): string | undefined => state.session.user?.time_zone ?? undefined;
