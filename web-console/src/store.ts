import {
  combineReducers,
  configureStore,
  createListenerMiddleware,
  isAnyOf,
  isFulfilled,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { api } from '@/api/api';
import type { accountApi } from '@/api/calls/account';
import { KINDS } from '@/api/generatedKinds';
import { refreshAbilities } from '@/api/refreshAbilities';
import { networkReducer } from '@/api/networkSlice';
import { askOvertakenAgain } from '@/api/overtakenAnswers';
import { connectionReducer } from '@/live/connectionSlice';
import { presentLive } from '@/live/presentLive';
import { sessionChanged } from '@/session/sessionChange';
import { saveSession } from '@/session/sessionStorage';
import {
  adopted,
  ended,
  interrupted,
  renewed,
  sessionReducer,
  signedIn,
  userUpdated,
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

const viewerOf = ({ session }: WithSession) => `${session.user?.id ?? ''} ${session.selectedUserId ?? ''}`;

/** By name: the page of the sign-in does not wait for the calls of all the others. */
const OF_OWN_ACCOUNT: string[] = [
  'updateAccount',
  'confirmTotp',
  'removeTotp',
] satisfies (keyof typeof accountApi.endpoints)[];

const isDone = isFulfilled();
function changesOwnAccount(action: UnknownAction): boolean {
  const { endpointName } = isDone(action) ? (action.meta.arg as { endpointName?: string }) : {};
  return endpointName !== undefined && OF_OWN_ACCOUNT.includes(endpointName);
}

/** Whether somebody may do something now that they could not do before. */
function mayMore(now: WithSession, before: WithSession): boolean {
  const had = new Set(before.session.user?.permissions);
  return (now.session.user?.permissions ?? []).some((permission) => !had.has(permission));
}

/** The store of a page. Tests make one each. */
export function createStore() {
  const effects = createListenerMiddleware<RootState>();

  // What one person loaded is never shown to another; before anybody asks for something new.
  effects.startListening({
    predicate: (_action, now, before) => viewerOf(now) !== viewerOf(before),
    effect: (_action, { dispatch }) => {
      presentLive()?.end();
      dispatch(api.util.resetApiState());
    },
  });

  effects.startListening({
    matcher: isAnyOf(signedIn, renewed, userUpdated, userSelected, interrupted, ended),
    effect: (_action, { getState }) => saveSession(getState().session),
  });

  // What was refused may be given now.
  effects.startListening({
    predicate: (action, now, before) => userUpdated.match(action) && mayMore(now, before),
    effect: (_action, { dispatch }) => void dispatch(api.util.invalidateTags([...KINDS])),
  });

  // What the person did about their own account shows in menus, and may open or close the console to them.
  effects.startListening({
    predicate: changesOwnAccount,
    effect: (_action, session) => refreshAbilities(session),
  });

  effects.startListening({
    matcher: isAnyOf(signedIn, renewed, interrupted, ended, adopted),
    effect: sessionChanged,
  });

  return configureStore({
    reducer,
    middleware: (defaults) => defaults().prepend(effects.middleware).concat(askOvertakenAgain, api.middleware),
  });
}

/** A store. */
export type Store = ReturnType<typeof createStore>;
