import { Suspense, lazy } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPath, pathOf } from '@/session/returnTo';
import { selectMustChangePassword, selectMustSetUpTotp, selectSession } from '@/session/sessionSlice';
import { LoadingBar } from './LoadingBar';

const ChangePasswordPage = lazy(async () => ({
  default: (await import('@/features/auth/ChangePasswordPage')).ChangePasswordPage,
}));

/** Where one's own account is. */
const ACCOUNT = '/account';

/**
 * Lets only those through who are signed in; the others come back to this page after signing in. Whose session ended
 * while they were working stays, and the shell asks for their password. Who must change a password that somebody else has
 * set, or set up a second factor, does that first.
 */
export function RequireSession() {
  const { token, user, endReason } = useSelector(selectSession);
  const mustChangePassword = useSelector(selectMustChangePassword);
  const mustSetUpTotp = useSelector(selectMustSetUpTotp);
  const { pathname, search, hash } = useLocation();
  const here = pathname + search + hash;
  if (token && user && mustChangePassword) {
    return (
      <Suspense fallback={<LoadingBar />}>
        <ChangePasswordPage user={user} />
      </Suspense>
    );
  }
  if (mustSetUpTotp && pathname !== ACCOUNT) return <Navigate to={pathOf(ACCOUNT, here)} replace />;
  // Another person begins with a screen of their own.
  if (user) return <Outlet key={user.id} />;
  // Who signed out on purpose starts afresh next time.
  return <Navigate to={endReason === 'signed_out' ? loginPath() : loginPath(here)} replace />;
}
