import { Alert, Button, NativeSelect, PasswordInput, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Navigate, useSearchParams } from 'react-router';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { useTitle } from '@/lib/useTitle';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectSession } from '@/session/sessionSlice';
import classes from './LoginPage.module.css';
import { Problem } from './Problem';
import { useSignIn } from './useSignIn';

/** Signing in; afterwards the page that was asked for. */
export function LoginPage() {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const [search] = useSearchParams();
  const { token, endReason } = useSelector(selectSession);
  const { busy, problem, onSubmit } = useSignIn();
  useTitle(t('title'));

  if (token) return <Navigate to={safeReturnPath(search.get(RETURN_PARAM))} replace />;

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/favicon.svg" width={36} height={36} alt="" />
          <span>Armada</span>
        </div>
        <Title order={1}>{t('title')}</Title>
        {endReason === 'expired' && !problem && <Alert color="brand">{t('expired')}</Alert>}
        <form onSubmit={onSubmit} noValidate className={classes.form}>
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
          {problem && <Problem id="login-problem" text={problem} />}
          <Button type="submit" size="md" disabled={busy} fullWidth>
            {busy ? common('action.processing') : t('submit')}
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
