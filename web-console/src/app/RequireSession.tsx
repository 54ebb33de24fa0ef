import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPath } from '@/session/returnTo';
import { selectSession } from '@/session/sessionSlice';

/** Lets only those through who are signed in; the others come back to this page after signing in. */
export function RequireSession() {
  const { token, endReason } = useSelector(selectSession);
  const { pathname, search, hash } = useLocation();
  if (token) return <Outlet />;
  // Who signed out on purpose starts afresh next time.
  return <Navigate to={endReason === 'signed_out' ? loginPath() : loginPath(pathname + search + hash)} replace />;
}
