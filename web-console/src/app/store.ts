import { combineReducers, configureStore, createListenerMiddleware, isAnyOf } from '@reduxjs/toolkit';
import { api } from '@/api/api';
import { connectionReducer } from '@/live/connectionSlice';
import { liveStore } from '@/live/liveStore';
import { keepSessionAlive } from '@/session/keepAlive';
import { saveSession, TOKEN_KEY, loadSession } from '@/session/sessionStorage';
import { adopted, ended, renewed, sessionReducer, signedIn, type WithSession } from '@/session/sessionSlice';

const reducer = combineReducers({
  [api.reducerPath]: api.reducer,
  session: sessionReducer,
  connection: connectionReducer,
});

/** Everything in the store. */
export type RootState = ReturnType<typeof reducer>;

const whoseOf = ({ session }: WithSession) => `${session.user?.id ?? ''} ${session.selectedUserId ?? ''}`;

/** The store of a page. Tests make one each. */
export function createStore() {
  const effects = createListenerMiddleware<RootState>();

  effects.startListening({
    matcher: isAnyOf(signedIn, renewed, ended),
    effect: (_action, { getState }) => saveSession(getState().session),
  });

  // What one person loaded is never shown to another.
  effects.startListening({
    predicate: (_action, now, before) => whoseOf(now) !== whoseOf(before),
    effect: (_action, { dispatch }) => {
      liveStore.clear();
      dispatch(api.util.resetApiState());
    },
  });

  return configureStore({
    reducer,
    middleware: (defaults) => defaults().prepend(effects.middleware).concat(api.middleware),
  });
}

/** A store. */
export type Store = ReturnType<typeof createStore>;

/** Renews the session in time and follows what other tabs do with it. */
export function attachSession(store: Store): void {
  const keeper = keepSessionAlive({
    current: () => {
      const { token, claims } = store.getState().session;
      return { token, expiresAt: claims?.expiresAt ?? null };
    },
    onRenewed: (renewal) => store.dispatch(renewed(renewal)),
    onRefused: () => store.dispatch(ended('expired')),
  });
  let known = store.getState().session.token;
  store.subscribe(() => {
    const { token } = store.getState().session;
    if (token === known) return;
    known = token;
    keeper.reschedule();
  });
  window.addEventListener('storage', (event) => {
    if (event.key !== TOKEN_KEY && event.key !== null) return;
    const stored = loadSession();
    if (stored.token !== store.getState().session.token) store.dispatch(adopted(stored));
  });
}
