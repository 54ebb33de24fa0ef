import { useLocalStorage } from '@mantine/hooks';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Outlet, useLocation } from 'react-router';
import { ConnectionBanner } from '@/components/ConnectionBanner';
import { CutText } from '@/components/CutText';
import { presentAddress, subscribeAddress } from '@/components/shareAddress';
import { useCommandResponses } from '@/live/useCommandResponses';
import { useEventUpdates } from '@/live/useEventUpdates';
import { useLiveSession } from '@/live/useLiveSession';
import { UnsavedGuard } from '@/components/unsaved';
import { useFollowedJobs, useJobPolling } from '@/resource/jobs';
import { holdKeys } from '@/lib/holdKeys';
import { lazyPart } from '@/lib/lazyPart';
import { selectOtherUser, selectPerson } from '@/session/sessionSlice';
import { useIsDesktop } from '@/theme/breakpoints';
import { LoadingBar } from '../LoadingBar';
import { useRememberVehicles } from '../palette/recentVehicles';
import { isMapPath } from '../paths';
import { Brand } from './Brand';
import { Header } from './Header';
import { SessionNotices } from './SessionNotices';
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar';
import { useActions } from './useActions';
import { useScrollPlaces } from './useScrollPlaces';
import { useShortcuts } from './useShortcuts';

const UrgentAlarm = lazyPart(async () => (await import('./alarms/parts')).UrgentAlarm);
const AlarmWatch = lazyPart(async () => (await import('./alarms/parts')).AlarmWatch);
const Palette = lazyPart(async () => (await import('../palette/Palette')).Palette);
// What is told before it is there, waits for it.
const Toasts = lazyPart(async () => (await import('@/components/Toasts')).Toasts);
const ShareAddressDialog = lazyPart(async () => (await import('@/components/ShareAddressDialog')).ShareAddressDialog);
const JobTray = lazyPart(async () => (await import('@/resource/JobTray')).JobTray);
const SidebarDrawer = lazyPart(async () => (await import('./SidebarDrawer')).SidebarDrawer);
const MailBanner = lazyPart(async () => (await import('@/features/tenants/MailBanner')).MailBanner);
const SelectedUserBanner = lazyPart(async () => (await import('./SelectedUserBanner')).SelectedUserBanner);
const SelectUserDialog = lazyPart(async () => (await import('./SelectUserDialog')).SelectUserDialog);
const KeysDialog = lazyPart(async () => (await import('../palette/KeysDialog')).KeysDialog);

/** What surrounds every screen behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const wide = useIsDesktop();
  const onMap = isMapPath(useLocation().pathname);
  const [compact, setCompact] = useCompactSidebar(onMap);
  // Who went to a screen is there now and not back at the button.
  const [drawer, setDrawer] = useState<'open' | 'closed' | 'navigated'>('closed');
  const [palette, setPalette] = useState<boolean | null>(null);
  const [keys, setKeys] = useState<boolean | null>(null);
  const [users, setUsers] = useState<boolean | null>(null);
  const otherUser = useSelector(selectOtherUser);
  const person = useSelector(selectPerson);
  const showUsers = () => setUsers(true);
  const actions = useActions({ showKeys: () => setKeys(true), showUsers });
  const openPalette = () => {
    holdKeys();
    setPalette(true);
  };
  useShortcuts(actions, openPalette);
  useRememberVehicles();
  useJobPolling();
  useLiveSession();
  useCommandResponses();
  useEventUpdates();
  const working = useFollowedJobs().length > 0;
  const main = useFocusAfterNavigation();
  return (
    <UnsavedGuard>
      <div className={classes.shell}>
        <a href="#content" className={classes.skip}>
          {t('shell.skip')}
        </a>
        {wide ? (
          <aside className={classes.sidebar} data-compact={compact || undefined} aria-label={t('shell.sidebar')}>
            <Brand compact={compact} />
            <Sidebar compact={compact} />
          </aside>
        ) : (
          <SidebarDrawer
            opened={drawer === 'open'}
            onClose={() => setDrawer('closed')}
            returnFocus={drawer !== 'navigated'}
            onNavigate={() => setDrawer('navigated')}
          />
        )}
        <div className={classes.column}>
          <Header
            expanded={wide ? !compact : drawer === 'open'}
            onToggle={wide ? () => setCompact(!compact) : () => setDrawer('open')}
            onSearch={openPalette}
            actions={actions}
          />
          <UrgentAlarm />
          <ConnectionBanner />
          {person?.isPlatformOwner && <MailBanner />}
          {otherUser !== null && <SelectedUserBanner key={otherUser} id={otherUser} onChange={showUsers} />}
          <main id="content" ref={main} className={classes.main} data-map={onMap || undefined} tabIndex={-1}>
            <Suspense fallback={<LoadingBar />}>
              <Outlet />
            </Suspense>
          </main>
          {/* In a place of its own, where it covers nothing. */}
          <Suspense fallback={null}>{working && <JobTray />}</Suspense>
        </div>
        <Suspense fallback={null}>
          {palette !== null && <Palette opened={palette} onClose={() => setPalette(false)} actions={actions} />}
          {users !== null && <SelectUserDialog opened={users} onClose={() => setUsers(false)} />}
          {keys !== null && <KeysDialog opened={keys} onClose={() => setKeys(false)} actions={actions} />}
          <Toasts />
          <NewAddress />
        </Suspense>
        <SessionNotices />
        <AlarmWatch />
        <CutText />
      </div>
    </UnsavedGuard>
  );
}

/** Whether the sidebar shows icons alone. A map begins so: it needs the room. */
function useCompactSidebar(onMap: boolean): [boolean, (compact: boolean) => void] {
  const stored = { getInitialValueInEffect: false };
  const [compact, setCompact] = useLocalStorage({ key: 'sidebar_compact', defaultValue: false, ...stored });
  const [onMaps, setOnMaps] = useLocalStorage({ key: 'sidebar_compact_map', defaultValue: true, ...stored });
  return onMap ? [onMaps, setOnMaps] : [compact, setCompact];
}

/** After going to another screen the keyboard is at its beginning, as after loading a page. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null);
  useScrollPlaces(main);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** The address of a share link that was made just now. */
function NewAddress() {
  const shown = useSyncExternalStore(subscribeAddress, presentAddress) !== null;
  const [wanted, setWanted] = useState(shown);
  if (shown && !wanted) setWanted(true);
  return <Suspense fallback={null}>{wanted && <ShareAddressDialog />}</Suspense>;
}
