import { Alert, Button, Menu, PasswordInput, TextInput, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, useSearchParams } from 'react-router';
import { useLoginMutation } from '@/api/api';
import { isApiError } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { useTitle } from '@/lib/useTitle';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectSession, signedIn } from '@/session/sessionSlice';
import classes from './LoginPage.module.css';

/** Signing in; afterwards the page that was asked for. */
export function LoginPage() {
  const { t } = useTranslation(['auth', 'common']);
  const dispatch = useDispatch();
  const [search] = useSearchParams();
  const { token, endReason } = useSelector(selectSession);
  const [login, { isLoading }] = useLoginMutation();
  const [problem, setProblem] = useState<string | null>(null);
  useTitle(t('auth:title'));

  if (token) return <Navigate to={safeReturnPath(search.get(RETURN_PARAM))} replace />;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const password = String(form.get('password'));
    if (!email || !password) return setProblem(t('auth:required'));
    setProblem(null);
    const answer = await login({ loginRequest: { email, password } });
    if (answer.data?.token && answer.data.user) {
      dispatch(signedIn({ token: answer.data.token, user: answer.data.user }));
    } else {
      setProblem(problemText(answer.error));
    }
  };

  const problemText = (error: unknown) =>
    isApiError(error) && error.status > 0 && error.message === 'Request failed'
      ? t('auth:failed')
      : isApiError(error)
        ? errorText(error, t)
        : t('auth:failed');

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/favicon.svg" width={36} height={36} alt="" />
          <span>Armada</span>
        </div>
        <Title order={1}>{t('auth:title')}</Title>
        {endReason === 'expired' && !problem && <Alert color="brand">{t('auth:expired')}</Alert>}
        <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
          <TextInput
            name="email"
            type="email"
            label={t('auth:email')}
            autoComplete="username"
            autoFocus
            size="md"
            aria-describedby={problem ? 'login-problem' : undefined}
          />
          <PasswordInput
            name="password"
            label={t('auth:password')}
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
            {isLoading ? t('common:action.processing') : t('auth:submit')}
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
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.language}
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          aria-label={`${t('shell.language')}: ${LANGUAGE_NAMES[languageOf(i18n.language)]}`}
        >
          {LANGUAGE_NAMES[languageOf(i18n.language)]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item key={language} lang={language} onClick={() => void i18n.changeLanguage(language)}>
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
