import '@fontsource-variable/inter/wght.css';
import '@/theme/mantineSignIn';
import '@/theme/base.css';
import { startI18n } from '@/i18n/i18n';
import { TEXT_FILES } from '@/i18n/textFiles';
import { loadConsole, loaded } from './loadConsole';
import { signInFirst } from './signInFirst';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');

const loadSignIn = () => loaded(() => import('./signInPage'));

void Promise.all([signInFirst() ? loadSignIn() : loadConsole(), startI18n(TEXT_FILES)]).then(([{ start }]) =>
  start(root),
);
