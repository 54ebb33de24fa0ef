import '@/theme/mantineStyles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Granted } from '@/api/signIn';
import { expectLive } from '@/api/untilLive';
import { can } from '@/session/abilities';
import { reloadForNewUser } from '@/session/personSwitch';
import { selectPerson, signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { App } from './App';
import { attachAbilities, attachNetwork, attachSession, restoreSession } from './attach';
import { createRouter } from './router';

/** Shows the console: to whom has just signed in, or to whose session this browser has kept. */
export async function start(root: HTMLElement, granted?: Granted): Promise<void> {
  const store = createStore();
  if (granted) store.dispatch(signedIn(granted));
  else await restoreSession(store);
  if (can('position:live', selectPerson(store.getState()))) expectLive();
  attachSession(store, reloadForNewUser);
  attachNetwork(store);
  attachAbilities(store);
  createRoot(root).render(
    <StrictMode>
      <App store={store} router={createRouter()} />
    </StrictMode>,
  );
}
