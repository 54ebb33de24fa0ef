import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPath } from '@/session/returnTo';
import { selectSession } from '@/session/sessionSlice';

/**
 * Lets only those through who are signed in; the others come back to this page after signing in. Whose session ended
 * while they were working stays, and the shell asks for their password.
 */
export function RequireSession() {
  const { user, endReason } = useSelector(selectSession);
  const { pathname, search, hash } = useLocation();
  // Another person begins with a screen of their own.
  if (user) return <Outlet key={user.id} />;
  // Who signed out on purpose starts afresh next time.
  return <Navigate to={endReason === 'signed_out' ? loginPath() : loginPath(pathname + search + hash)} replace />;
}
