import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '@/i18n/i18n';
import { reloadForNewUser } from '@/session/personSwitch';
import { App } from './App';
import { attachAbilities, attachNetwork, attachSession, restoreSession } from './attach';
import { createStore } from '@/store';

const store = createStore();

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');

void Promise.all([startI18n(), restoreSession(store)]).then(() => {
  attachSession(store, reloadForNewUser);
  attachNetwork(store);
  attachAbilities(store);
  createRoot(root).render(
    <StrictMode>
      <App store={store} />
    </StrictMode>,
  );
});
