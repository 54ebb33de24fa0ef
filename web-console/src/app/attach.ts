import { api } from '@/api/api';
import { refreshAbilities } from '@/api/refreshAbilities';
import { selectNetwork } from '@/api/networkSlice';
import { watchNetwork } from '@/api/watchNetwork';
import { onDeviceWake } from '@/lib/wake';
import { selectConnection } from '@/live/connectionSlice';
import { presentLive } from '@/live/presentLive';
import { keepSessionAlive } from '@/session/keepAlive';
import { renewSession } from '@/session/renewal';
import { takeProviderReturn } from '@/session/providerReturn';
import { SELECTED_USER_KEY, TOKEN_KEY, loadSession, storedEndReason } from '@/session/sessionStorage';
import { adopted, ended, renewalRefused, renewed, signedIn } from '@/session/sessionSlice';
import type { Store } from '@/store';

/**
 * Before anything is shown: a session that expired while the page was away is renewed, or ended; and who comes back from
 * a provider of identities has a session that this page does not know yet.
 */
export async function restoreSession(store: Store): Promise<void> {
  const { token, claims } = store.getState().session;
  if (takeProviderReturn() && !token) {
    const renewal = await renewSession(null);
    if (renewal.outcome === 'renewed') store.dispatch(signedIn(renewal));
    return;
  }
  if (!token || claims?.expiresAt == null || claims.expiresAt > Date.now()) return;
  const renewal = await renewSession(token);
  if (store.getState().session.token !== token) return;
  if (renewal.outcome === 'renewed') store.dispatch(renewed(renewal));
  else if (renewal.outcome === 'refused') store.dispatch(ended('expired'));
}

/**
 * Renews the session in time and follows what other tabs do with it. `reloadForNewUser` is called when another person has
 * taken the place of the one whose screen this was: nothing in the memory of the page is theirs.
 */
export function attachSession(store: Store, reloadForNewUser: () => void): () => void {
  const session = () => store.getState().session;
  const keepAlive = keepSessionAlive({
    current: () => ({ token: session().token, expiresAt: session().claims?.expiresAt ?? null }),
    onRenewed: (renewal) => store.dispatch(renewed(renewal)),
    onRefused: () => store.dispatch(renewalRefused()),
  });

  let known = session();
  const unsubscribe = store.subscribe(() => {
    const before = known;
    known = session();
    if (known.token !== before.token) keepAlive.reschedule();
    if (before.user && known.user && before.user.id !== known.user.id) reloadForNewUser();
  });

  // A tab that was frozen has not heard of what happened: it looks when it wakes.
  const follow = () => {
    const [stored, end] = [loadSession(), storedEndReason()];
    // A browser that keeps nothing says nothing of other tabs.
    if (!stored.token && !end) return;
    const { token, selectedUserId } = session();
    const isSame = stored.token === token && (!token || stored.selectedUserId === selectedUserId);
    if (!isSame) store.dispatch(adopted({ stored, end }));
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key === TOKEN_KEY || event.key === SELECTED_USER_KEY) follow();
  };
  window.addEventListener('storage', onStorage);
  const stopListening = onDeviceWake(follow);
  return () => {
    keepAlive.stop();
    unsubscribe();
    stopListening();
    window.removeEventListener('storage', onStorage);
  };
}

/** A page that opens, or is looked at again, asks what its person may do now. */
export function attachAbilities(store: Store): () => void {
  const learn = () => void refreshAbilities(store);
  learn();
  return onDeviceWake((wake) => {
    if (wake !== 'online') learn();
  });
}

/** Notices when the server cannot be reached, and asks again for what is on the screen when it, or its reader, is back. */
export function attachNetwork(store: Store): () => void {
  const refetchShown = () => store.dispatch(api.internalActions.onOnline());
  const unwatch = watchNetwork({
    current: () => selectNetwork(store.getState()),
    subscribe: (listener) => store.subscribe(listener),
    dispatch: (action) => store.dispatch(action),
    onBack: () => {
      presentLive()?.retryNow();
      refetchShown();
    },
  });
  const stopListening = onDeviceWake((wake) => {
    if (wake === 'shown') store.dispatch(api.internalActions.onFocus());
    if (wake !== 'slept') return;
    // Whatever was connected is not any more, and only does not know.
    if (selectConnection(store.getState()).state !== 'disconnected') presentLive()?.reconnect();
    refetchShown();
  });
  return () => {
    unwatch();
    stopListening();
  };
}
