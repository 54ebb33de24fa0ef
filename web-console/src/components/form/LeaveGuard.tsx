import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { discardPendingSearch } from '@/lib/address';
import { openIn } from '@/lib/drawerParam';
import { ConfirmDialog } from '../ConfirmDialog';

/** So long whoever leaves waits for what is being saved; then they are asked, or a dead network would hold them. */
const SAVE_TIMEOUT_MS = 3_000;

interface LeaveGuardProps {
  dirty: boolean;
  /** What was typed is on its way to the server: whether leaving loses anything is known only afterwards. */
  saving: boolean;
  holdsChanges: () => boolean;
}

/**
 * Asks before what was typed is lost, whichever way somebody leaves: closing, a link, the browser's back button, or the
 * whole tab (there the browser asks in its own words).
 */
export function LeaveGuard({ dirty, saving, holdsChanges }: LeaveGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => holdsChanges() && placeOf(currentLocation) !== placeOf(nextLocation),
  );
  const blocked = blocker.state === 'blocked';
  const tooLong = useTooLong(blocked && saving);

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (holdsChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty, holdsChanges]);

  useEffect(() => {
    if (!blocked) return;
    // The address is not on its way any more: whoever writes the same once more, means it.
    discardPendingSearch();
    // A form that stays was saved, and holds nobody. Others close, which leads away by itself.
    if (!dirty) blocker.proceed();
  }, [blocked, blocker, dirty]);

  return (
    <ConfirmDialog
      opened={blocked && (!saving || tooLong) && holdsChanges()}
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      confirmLabel={t('unsaved.leave')}
      cancelLabel={t('unsaved.stay')}
      destructive
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}

/** Whether something goes on for longer than anybody should wait. */
function useTooLong(going: boolean): boolean {
  const [tooLong, setTooLong] = useState(false);
  useEffect(() => {
    if (!going) return;
    const timer = setTimeout(() => setTooLong(true), SAVE_TIMEOUT_MS);
    return () => {
      clearTimeout(timer);
      setTooLong(false);
    };
  }, [going]);
  return tooLong;
}

/** The form stays where it is while only its tab or the list behind it changes. */
const placeOf = ({ pathname, search }: { pathname: string; search: string }) =>
  `${pathname} ${openIn(new URLSearchParams(search))}`;
