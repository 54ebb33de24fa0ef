import { combineReducers, configureStore, createListenerMiddleware, isAnyOf } from '@reduxjs/toolkit';
import { api } from '@/api/api';
import { learnAbilities } from '@/api/learnAbilities';
import { networkReducer } from '@/api/networkSlice';
import { connectionReducer } from '@/live/connectionSlice';
import { forgetLive } from '@/live/useLiveConnection';
import { sessionChanged } from '@/session/sessionChange';
import { saveSession } from '@/session/sessionStorage';
import {
  adopted,
  ended,
  interrupted,
  renewed,
  sessionReducer,
  signedIn,
  told,
  userSelected,
  type WithSession,
} from '@/session/sessionSlice';

const reducer = combineReducers({
  [api.reducerPath]: api.reducer,
  session: sessionReducer,
  connection: connectionReducer,
  network: networkReducer,
});

/** Everything in the store. */
export type RootState = ReturnType<typeof reducer>;

const whoseOf = ({ session }: WithSession) => `${session.user?.id ?? ''} ${session.selectedUserId ?? ''}`;

/** The store of a page. Tests make one each. */
export function createStore() {
  const effects = createListenerMiddleware<RootState>();

  // What one person loaded is never shown to another; before anybody asks for something new.
  effects.startListening({
    predicate: (_action, now, before) => whoseOf(now) !== whoseOf(before),
    effect: (_action, { dispatch }) => {
      forgetLive();
      dispatch(api.util.resetApiState());
    },
  });

  effects.startListening({
    matcher: isAnyOf(signedIn, renewed, told, userSelected, interrupted, ended),
    effect: (_action, { getState }) => saveSession(getState().session),
  });

  // What the person did about their own account shows in menus, and may open or close the console to them.
  effects.startListening({
    matcher: isAnyOf(
      api.endpoints.updateAccount.matchFulfilled,
      api.endpoints.confirmTotp.matchFulfilled,
      api.endpoints.removeTotp.matchFulfilled,
    ),
    effect: (_action, session) => learnAbilities(session),
  });

  effects.startListening({
    matcher: isAnyOf(signedIn, renewed, interrupted, ended, adopted),
    effect: sessionChanged,
  });

  return configureStore({
    reducer,
    middleware: (defaults) => defaults().prepend(effects.middleware).concat(api.middleware),
  });
}

/** A store. */
export type Store = ReturnType<typeof createStore>;
