import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SignInOptions } from '@/api/generated';
import type { Granted } from '@/api/signIn';
import { AuthPage } from '@/components/AuthPage';
import { BusyButton } from '@/components/BusyButton';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { useTitle } from '@/lib/useTitle';
import { ByProvider } from './ByProvider';
import { CodeFields } from './CodeFields';
import { Problem } from './Problem';
import classes from './SignIn.module.css';
import { useSignIn, type Begun } from './useSignIn';
import { useSignInOptions } from './useSignInOptions';

const PROBLEM = 'login-problem';

interface SignInProps {
  /** Where a provider leads back to. */
  next: string;
  /** Why the provider did not let somebody in: the server's name for it. */
  refusal: string | null;
  /** They were signed in before. */
  expired?: boolean;
  /** Whoever has just chosen a password need not type their address again. */
  email?: string;
  /** The password was right already, and a code is wanted. */
  begun?: Begun;
  onSignedIn: (granted: Granted) => void | Promise<void>;
}

/** Signing in. It needs neither store nor router: it comes before the console does. */
export function SignIn({ next, refusal: code, expired, email, begun, onSignedIn }: SignInProps) {
  const { t } = useTranslation('auth');
  const options = useSignInOptions();
  const { busy, problem, wantsCode, attempt, startAgain, onSubmit } = useSignIn(
    onSignedIn,
    begun ?? (code === 'totp_required' ? 'provider' : null),
  );
  const refusal = useRefusalText(code);
  const notice = problem ?? (attempt === 0 && refusal !== null ? { text: refusal } : null);
  const describedBy = notice ? PROBLEM : undefined;
  const title = wantsCode ? t('code.title') : t('title');
  useTitle(title);
  return (
    <AuthPage title={title} links={!wantsCode && <Links options={options} />}>
      {expired && !notice && <Alert color="brand">{t('expired')}</Alert>}
      <form onSubmit={onSubmit} noValidate className={classes.form}>
        {wantsCode ? (
          <CodeFields attempt={attempt} describedBy={describedBy} onBack={startAgain} />
        ) : (
          <PasswordFields email={email} describedBy={describedBy} />
        )}
        {notice && <Problem id={PROBLEM} problem={notice} />}
        <BusyButton type="submit" size="md" busy={busy} fullWidth>
          {t('submit')}
        </BusyButton>
      </form>
      {!wantsCode && options?.oidc_name && <ByProvider name={options.oidc_name} next={next} />}
    </AuthPage>
  );
}

function PasswordFields({ email, describedBy }: { email: string | undefined; describedBy: string | undefined }) {
  const { t } = useTranslation('auth');
  const first = useFocusOnMount<HTMLInputElement>();
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        defaultValue={email}
        autoComplete="username"
        ref={email ? undefined : first}
        size="md"
        aria-describedby={describedBy}
      />
      <PasswordInput
        name="password"
        label={t('password')}
        autoComplete="current-password"
        ref={email ? first : undefined}
        size="md"
        aria-describedby={describedBy}
      />
    </>
  );
}

function Links({ options }: { options: SignInOptions | undefined }) {
  const { t } = useTranslation('auth');
  return (
    <>
      <Anchor href="/auth/forgot-password">{t('forgot')}</Anchor>
      {options?.registration && (
        <Text>
          {t('noAccount')} <Anchor href="/auth/register">{t('register')}</Anchor>
        </Text>
      )}
    </>
  );
}

/** Why the provider's sign-in did not work, in words. */
function useRefusalText(code: string | null): string | null {
  const { t } = useTranslation('auth');
  if (code === null || code === 'totp_required') return null;
  if (code === 'oidc_no_account') return t('provider.noAccount');
  return code === 'oidc_unverified' ? t('provider.unverified') : t('provider.failed');
}
