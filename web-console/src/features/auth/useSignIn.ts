import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { REQUEST_FAILED, errorCode, isApiError } from '@/api/errors';
import { signInByCode, signInByPassword, type Granted } from '@/api/signIn';
import { errorText } from '@/i18n/errorText';
import { keepTypedPassword, type TypedPassword } from '@/session/typedPassword';
import type { SignInProblem } from './Problem';

/** Who signs in, once the password was right and a code is wanted: the person who typed it, or whom a provider vouches for. */
export type Begun = TypedPassword | 'provider' | null;

/**
 * A form that signs in: with the fields `email` and `password` first, and with `code` alone while `wantsCode`. `attempt`
 * grows with every code that was wrong. Who has begun elsewhere gives a code alone.
 */
export function useSignIn(onSignedIn: (granted: Granted) => void | Promise<void>, begun: Begun = null) {
  const { t } = useTranslation('auth');
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(begun);
  const [attempt, setAttempt] = useState(0);
  const { problem, say, sayError } = useProblem();

  const send = async (credentials: NonNullable<Begun>, code?: string) => {
    say(null);
    const answer =
      credentials === 'provider'
        ? await signInByCode({ code: code ?? '' })
        : await signInByPassword(code ? { ...credentials, code } : credentials);
    if (answer.data) {
      // Who has to change it next has just typed it.
      if (credentials !== 'provider' && answer.data.user.must_change_password) keepTypedPassword(credentials);
      return onSignedIn(answer.data);
    }
    const error = errorCode(answer.error);
    setAttempt((count) => count + 1);
    if (error === 'totp_required') return setWaiting(credentials);
    // The password may have been changed meanwhile.
    if (error === 'login_failed' || error === 'oidc_failed') setWaiting(null);
    sayError(answer.error);
  };

  const work = (credentials: NonNullable<Begun>, code?: string) => {
    setBusy(true);
    void send(credentials, code).finally(() => setBusy(false));
  };

  const submit = (form: FormData) => {
    const field = (name: string) => String(form.get(name) ?? '');
    if (waiting) {
      const code = field('code').trim();
      return code ? work(waiting, code) : say(t('code.required'));
    }
    const credentials = { email: field('email').trim(), password: field('password') };
    return credentials.email && credentials.password ? work(credentials) : say(t('required'));
  };

  return {
    busy,
    problem,
    wantsCode: waiting !== null,
    attempt,
    /** Leads back to the password. */
    startAgain: () => {
      say(null);
      setWaiting(null);
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!busy) submit(new FormData(event.currentTarget));
    },
  };
}

/** What went wrong, in words; a wait that the server wants is said until it is over. */
function useProblem() {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const [problem, setProblem] = useState<(SignInProblem & { seconds?: number }) | null>(null);
  const seconds = problem?.seconds;
  useEffect(() => {
    if (seconds === undefined) return;
    const timer = setTimeout(() => setProblem(null), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [problem, seconds]);

  const wait = (left: number) =>
    left < 60 ? t('throttled.seconds', { count: left }) : t('throttled.minutes', { count: Math.ceil(left / 60) });

  const sayError = (error: unknown) => {
    const seconds = isApiError(error) ? error.retryAfter : undefined;
    setProblem({ title: t('failed'), text: seconds ? wait(seconds) : why(error), seconds });
  };
  // The server says no more than that it failed, so that nobody learns which addresses there are.
  const why = (error: unknown) => {
    if (errorCode(error) === 'login_failed') return t('wrong');
    const isSaid = isApiError(error) && (error.status === 0 || error.message !== REQUEST_FAILED);
    return isSaid ? errorText(error, common) : undefined;
  };
  return { problem, say: (text: string | null) => setProblem(text === null ? null : { text }), sayError };
}
