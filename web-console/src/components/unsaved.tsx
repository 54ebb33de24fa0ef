import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker, type Location } from 'react-router';
import { discardPendingSearch } from '@/lib/address';
import { drawersIn } from '@/lib/drawerParam';
import { lazyPart } from '@/lib/lazyPart';

const ConfirmDialog = lazyPart(async () => (await import('./ConfirmDialog')).ConfirmDialog);

/** So long whoever leaves waits for what is being saved; then they are asked, or a dead network would hold them. */
const SAVE_TIMEOUT_MS = 3_000;

/** Something on the screen that holds what was typed. */
interface UnsavedForm {
  /** What was typed is on its way to the server: whether leaving loses anything is known only afterwards. */
  saving: boolean;
  holdsChanges: () => boolean;
  /** Whether it would still be there. */
  stays: (from: Location, to: Location) => boolean;
}

/** Holders that are on the screen, and what tells that one of them is another now. */
interface Register {
  holders: Set<{ current: UnsavedForm }>;
  changed: () => void;
}

const RegisterContext = createContext<Register | null>(null);
/** How many drawers lie below what stands here. */
export const DrawerDepth = createContext(0);

/** A drawer stays while those up to it are the same; without any, what stands on the page itself stays with the page. */
function isKeptAt(depth: number, inDrawer: boolean) {
  const placeOf = ({ pathname, search }: Location) =>
    [pathname, ...(inDrawer ? drawersIn(new URLSearchParams(search)).slice(0, depth + 1) : [])].join(' ');
  return (from: Location, to: Location) => placeOf(from) === placeOf(to);
}

interface UnsavedOptions extends Omit<UnsavedForm, 'stays'> {
  /** Stands in a drawer, which the address opens and closes. */
  inDrawer?: boolean;
}

/** Each asks before an act if it holds something, and says whether it does. */
const guards = new Set<(act: () => void) => boolean>();

/** Does something that is no way to another page, and asks before if what was typed would be lost by it. */
export function unlessLost(act: () => void): void {
  if (![...guards].some((asks) => asks(act))) act();
}

/** Tells the guard of the shell what would be lost here. */
export function useUnsaved({ saving, holdsChanges, inDrawer = true }: UnsavedOptions): void {
  const register = use(RegisterContext);
  const depth = use(DrawerDepth);
  const stays = useMemo(() => isKeptAt(depth, inDrawer), [depth, inDrawer]);
  const holder = useRef<UnsavedForm>({ saving, holdsChanges, stays });
  useEffect(() => {
    holder.current = { saving, holdsChanges, stays };
  });
  const holds = holdsChanges();
  useEffect(() => register?.changed(), [register, saving, holds]);
  useEffect(() => {
    register?.holders.add(holder);
    return () => void register?.holders.delete(holder);
  }, [register]);
}

/**
 * Asks before what was typed is lost, whichever way somebody leaves: closing, a link, the browser's back button, or the
 * whole tab (there the browser asks in its own words). The router knows one such guard, so that all of a page share it.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [holders] = useState(() => new Set<{ current: UnsavedForm }>());
  const [version, setVersion] = useState(0);
  const holding = () => [...holders].map(({ current }) => current).filter((holder) => holder.holdsChanges());
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    holding().some(({ stays }) => !stays(currentLocation, nextLocation)),
  );
  const blocked = blocker.state === 'blocked';
  // What is saved meanwhile is no reason to stay any more; holders tell when something about them has changed.
  const register = useMemo(() => ({ holders, changed: () => setVersion((version) => version + 1) }), [holders]);
  /** The way that was cleared, which is cleared once. */
  const left = useRef<unknown>(null);
  const [asked, setAsked] = useState<'no' | 'saving' | 'yes'>('no');
  useEffect(() => {
    // The address is not on its way any more: whoever writes the same once more, means it.
    if (blocked) discardPendingSearch();
  }, [blocked]);
  useEffect(() => {
    const still = blocked ? [...holders].filter(({ current }) => current.holdsChanges()) : [];
    // eslint-disable-next-line react-hooks/set-state-in-effect -- what holders say is known after they have drawn themselves
    setAsked(still.length === 0 ? 'no' : still.some(({ current }) => current.saving) ? 'saving' : 'yes');
    // A form that stays was saved, and holds nobody. Others close, which leads away by itself.
    if (!blocked || still.length > 0 || left.current === blocker) return;
    left.current = blocker;
    try {
      blocker.proceed();
    } catch {
      // The form has closed meanwhile, and the router has left already.
    }
  }, [blocked, blocker, holders, version]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (holding().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  });
  /** What was asked for that is no way to another page. */
  const [act, setAct] = useState<{ run: () => void } | null>(null);
  useEffect(() => {
    const asks = (run: () => void) => {
      const holds = [...holders].some(({ current }) => current.holdsChanges());
      if (holds) setAct({ run });
      return holds;
    };
    guards.add(asks);
    return () => void guards.delete(asks);
  }, [holders]);
  const tooLong = useIsSlow(asked === 'saving');
  // The code of the question comes with the first thing that can be lost, long before anybody leaves it.
  const [mayAsk, setMayAsk] = useState(false);
  if (!mayAsk && holders.size > 0) setMayAsk(true);
  return (
    <RegisterContext value={register}>
      {children}
      {mayAsk && (
        <ConfirmDialog
          opened={act !== null || (blocked && (asked === 'yes' || tooLong))}
          title={t('unsaved.title')}
          text={t('unsaved.text')}
          confirmLabel={t('unsaved.leave')}
          cancelLabel={t('unsaved.stay')}
          destructive
          onConfirm={() => {
            setAct(null);
            if (act) act.run();
            else blocker.proceed?.();
          }}
          onCancel={() => (act ? setAct(null) : blocker.reset?.())}
        />
      )}
    </RegisterContext>
  );
}

/** Whether something goes on for longer than anybody should wait. */
function useIsSlow(going: boolean): boolean {
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
