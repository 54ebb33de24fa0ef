import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { useSignInOptionsQuery } from '@/api/calls/signIn';
import { AuthPage } from '@/components/AuthPage';
import { BusyButton } from '@/components/BusyButton';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { useTitle } from '@/lib/useTitle';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectSession } from '@/session/sessionSlice';
import { ByProvider } from './ByProvider';
import { CodeFields } from './CodeFields';
import classes from './LoginPage.module.css';
import { Problem } from './Problem';
import { useSignIn } from './useSignIn';

const PROBLEM = 'login-problem';

/** Signing in; afterwards the page that was asked for. */
export function LoginPage() {
  const { t } = useTranslation('auth');
  const [search] = useSearchParams();
  const { token, endReason } = useSelector(selectSession);
  const providerError = useProviderError();
  const { busy, problem, wantsCode, attempt, startAgain, onSubmit } = useSignIn(providerError === 'totp_required');
  const refusal = useRefusalText(providerError);
  const next = safeReturnPath(search.get(RETURN_PARAM));
  const notice = problem ?? (attempt === 0 && refusal !== null ? { text: refusal } : null);
  const title = wantsCode ? t('code.title') : t('title');
  useTitle(title);

  if (token) return <Navigate to={next} replace />;

  return (
    <AuthPage title={title} links={!wantsCode && <Links />}>
      {endReason === 'expired' && !notice && <Alert color="brand">{t('expired')}</Alert>}
      <form onSubmit={onSubmit} noValidate className={classes.form}>
        {wantsCode ? (
          <CodeFields attempt={attempt} describedBy={notice ? PROBLEM : undefined} onBack={startAgain} />
        ) : (
          <PasswordFields describedBy={notice ? PROBLEM : undefined} />
        )}
        {notice && <Problem id={PROBLEM} problem={notice} />}
        <BusyButton type="submit" size="md" busy={busy} fullWidth>
          {t('submit')}
        </BusyButton>
      </form>
      {!wantsCode && <ByProvider next={next} />}
    </AuthPage>
  );
}

function PasswordFields({ describedBy }: { describedBy: string | undefined }) {
  const { t } = useTranslation('auth');
  // Whoever has just chosen a password need not type their address again.
  const { state } = useLocation() as { state: { email?: string } | null };
  const first = useFocusOnMount<HTMLInputElement>();
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        defaultValue={state?.email}
        autoComplete="username"
        ref={state?.email ? undefined : first}
        size="md"
        aria-describedby={describedBy}
      />
      <PasswordInput
        name="password"
        label={t('password')}
        autoComplete="current-password"
        ref={state?.email ? first : undefined}
        size="md"
        aria-describedby={describedBy}
      />
    </>
  );
}

function Links() {
  const { t } = useTranslation('auth');
  const { data: options } = useSignInOptionsQuery();
  return (
    <>
      <Anchor component={Link} to="/auth/forgot-password">
        {t('forgot')}
      </Anchor>
      {options?.registration && (
        <Text>
          {t('noAccount')}{' '}
          <Anchor component={Link} to="/auth/register">
            {t('register')}
          </Anchor>
        </Text>
      )}
    </>
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

/** Why the provider's sign-in did not work, in words. */
function useRefusalText(code: string | null): string | null {
  const { t } = useTranslation('auth');
  if (code === null || code === 'totp_required') return null;
  if (code === 'oidc_no_account') return t('provider.noAccount');
  return code === 'oidc_unverified' ? t('provider.unverified') : t('provider.failed');
}
