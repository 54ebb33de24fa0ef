import { SIGNED_IN_PATH, mayComeFromProvider } from '@/session/providerReturn';
import { LOGIN_PATH, loginPath } from '@/session/returnTo';
import { loadSession } from '@/session/sessionStorage';

/** What anybody may open besides the sign-in. */
const isPublic = (path: string) =>
  path.startsWith('/auth/') || path === SIGNED_IN_PATH || (__COMPONENT_PAGE__ && path.startsWith('/dev/'));

/**
 * Whether nothing but the sign-in can come of this address, which then is the sign-in's that leads back to it. What is kept
 * of a session may be worth nothing any more: that is for the console to find out.
 */
export function signInFirst(): boolean {
  const { pathname, search, hash } = window.location;
  if (loadSession().token) return false;
  if (pathname === LOGIN_PATH) return true;
  if (isPublic(pathname) || mayComeFromProvider()) return false;
  window.history.replaceState(null, '', loginPath(pathname + search + hash));
  return true;
}
