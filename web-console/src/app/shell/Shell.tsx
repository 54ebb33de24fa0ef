import '@mantine/notifications/styles.css';
import { Drawer } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { LoadingBar } from '../LoadingBar';
import { Header } from './Header';
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar';

/** From this width on, the sidebar stands beside the screen. */
const WIDE = '(min-width: 64em)';

/** Toasts vanish after this long. */
const TOAST_MS = 8_000;

/** What surrounds every screen behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) ?? true;
  const [compact, setCompact] = useLocalStorage({ key: 'sidebar_compact', defaultValue: false });
  const [drawer, { toggle, close }] = useDisclosure(false);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('shell.skip')}
      </a>
      {wide ? (
        <aside className={classes.sidebar} data-compact={compact || undefined}>
          <Sidebar compact={compact} onNavigate={close} />
        </aside>
      ) : (
        <Drawer opened={drawer} onClose={close} size={260} title={t('shell.navigation')}>
          <Sidebar compact={false} onNavigate={close} />
        </Drawer>
      )}
      <div className={classes.column}>
        <Header onToggle={wide ? () => setCompact(!compact) : toggle} expanded={wide ? !compact : drawer} />
        <main id="content" className={classes.main} tabIndex={-1}>
          <Suspense fallback={<LoadingBar />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Notifications position="bottom-right" autoClose={TOAST_MS} limit={3} />
    </div>
  );
}
