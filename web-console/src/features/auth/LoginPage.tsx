import { Alert, Button, NativeSelect, PasswordInput, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, useSearchParams } from 'react-router';
import { useLoginMutation } from '@/api/api';
import { REQUEST_FAILED, isApiError } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { useTitle } from '@/lib/useTitle';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectSession, signedIn } from '@/session/sessionSlice';
import classes from './LoginPage.module.css';

/** Signing in; afterwards the page that was asked for. */
export function LoginPage() {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const dispatch = useDispatch();
  const [search] = useSearchParams();
  const { token, endReason } = useSelector(selectSession);
  const [login, { isLoading }] = useLoginMutation();
  const [problem, setProblem] = useState<string | null>(null);
  useTitle(t('title'));

  if (token) return <Navigate to={safeReturnPath(search.get(RETURN_PARAM))} replace />;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const password = String(form.get('password'));
    if (!email || !password) return setProblem(t('required'));
    setProblem(null);
    const answer = await login({ loginRequest: { email, password } });
    if (answer.data?.token && answer.data.user) {
      dispatch(signedIn({ token: answer.data.token, user: answer.data.user }));
    } else {
      setProblem(problemText(answer.error));
    }
  };

  // An answer without words of its own leaves the specification's.
  const problemText = (error: unknown) =>
    isApiError(error) && (error.status === 0 || error.message !== REQUEST_FAILED) ? errorText(error, common) : t('failed');

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/favicon.svg" width={36} height={36} alt="" />
          <span>Armada</span>
        </div>
        <Title order={1}>{t('title')}</Title>
        {endReason === 'expired' && !problem && <Alert color="brand">{t('expired')}</Alert>}
        <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
          <TextInput
            name="email"
            type="email"
            label={t('email')}
            autoComplete="username"
            autoFocus
            size="md"
            aria-describedby={problem ? 'login-problem' : undefined}
          />
          <PasswordInput
            name="password"
            label={t('password')}
            autoComplete="current-password"
            size="md"
            aria-describedby={problem ? 'login-problem' : undefined}
          />
          {problem && (
            <Alert id="login-problem" color="red" variant="outline" role="alert" className={classes.problem}>
              {problem}
            </Alert>
          )}
          <Button type="submit" size="md" disabled={isLoading} fullWidth>
            {isLoading ? common('action.processing') : t('submit')}
          </Button>
        </form>
      </div>
      <LanguageSwitch />
    </main>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <NativeSelect
      aria-label={t('shell.language')}
      value={languageOf(i18n.language)}
      data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
      onChange={(event) => void i18n.changeLanguage(event.currentTarget.value)}
    />
  );
}
