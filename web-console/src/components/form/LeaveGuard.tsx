import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { forgetWritten } from '@/lib/address';
import { openIn } from '@/lib/drawerParam';
import { ConfirmDialog } from '../ConfirmDialog';

/**
 * Asks before what was typed is lost, whichever way somebody leaves: closing, a link, the browser's back button, or the
 * whole tab (there the browser asks in its own words).
 */
export function LeaveGuard({ dirty, holdsChanges }: { dirty: boolean; holdsChanges: () => boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => holdsChanges() && placeOf(currentLocation) !== placeOf(nextLocation),
  );

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (holdsChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty, holdsChanges]);

  const stay = () => {
    forgetWritten();
    blocker.reset?.();
  };

  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      confirmLabel={t('unsaved.leave')}
      cancelLabel={t('unsaved.stay')}
      destructive
      onConfirm={() => blocker.proceed?.()}
      onCancel={stay}
    />
  );
}

/** The form stays where it is while only its tab or the list behind it changes. */
const placeOf = ({ pathname, search }: { pathname: string; search: string }) => `${pathname} ${openIn(new URLSearchParams(search))}`;
