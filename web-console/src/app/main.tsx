import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '@/i18n/i18n';
import { App } from './App';
import { attachSession, createStore } from './store';

const store = createStore();
attachSession(store);

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');

void startI18n().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App store={store} />
    </StrictMode>,
  ),
);
