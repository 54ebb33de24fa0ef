import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectSession, signedIn } from '@/session/sessionSlice';
import { useTypedPassword } from '@/session/typedPassword';
import { SignIn } from './SignIn';

/** Signing in where the console is there already; afterwards the page that was asked for. */
export function LoginPage() {
  const dispatch = useDispatch();
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: { email?: string } | null };
  const { token, endReason } = useSelector(selectSession);
  const refusal = useProviderError();
  const typed = useTypedPassword();
  const next = safeReturnPath(search.get(RETURN_PARAM));
  if (token) return <Navigate to={next} replace />;
  return (
    <SignIn
      next={next}
      refusal={refusal}
      expired={endReason === 'expired'}
      email={state?.email}
      begun={typed}
      onSignedIn={(granted) => void dispatch(signedIn(granted))}
    />
  );
}

/** What came of the provider's sign-in, as the address says; it is said once and does not stay there. */
function useProviderError(): string | null {
  const [search, setSearch] = useSearchParams();
  const present = search.get('error');
  const [code] = useState(present);
  useEffect(() => {
    if (present === null) return;
    setSearch(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('error');
        return rest;
      },
      { replace: true },
    );
  }, [present, setSearch]);
  return code;
}
