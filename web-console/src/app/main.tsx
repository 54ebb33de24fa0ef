import '@fontsource-variable/inter/wght.css';
import '@/theme/mantineSignIn';
import '@/theme/base.css';
import { startI18n } from '@/i18n/i18n';
import { loadConsole, loaded } from './loadConsole';
import { signInFirst } from './signInFirst';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');

const loadSignIn = () => loaded(() => import('./signInPage'));

void Promise.all([signInFirst() ? loadSignIn() : loadConsole(), startI18n()]).then(([{ start }]) => start(root));
