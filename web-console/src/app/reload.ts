import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectNetwork, unanswered } from '@/api/networkSlice';

const RELOADED_KEY = 'reloaded_at';
/** A page that still cannot load its screen right after it was loaded anew is left to its user. */
const RELOAD_PAUSE_MS = 30_000;

/** The page, which its user may load anew; an object, so that tests can stand in for the browser. */
export const page = { reload: () => window.location.reload() };

/** Looks for the server and loads the page anew once it answers: browsers may keep a module that they could not load. */
export function useReloadWhenBack(wanted: boolean): void {
  const dispatch = useDispatch();
  const network = useSelector(selectNetwork);
  const looking = useRef(false);
  useEffect(() => {
    if (wanted) dispatch(unanswered());
  }, [wanted, dispatch]);
  useEffect(() => {
    if (!wanted) return;
    if (network !== 'up') {
      looking.current = true;
    } else if (looking.current && Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) > RELOAD_PAUSE_MS) {
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
      page.reload();
    }
  }, [wanted, network]);
}
