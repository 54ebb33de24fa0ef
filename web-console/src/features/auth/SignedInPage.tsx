import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, Navigate } from 'react-router';
import { AuthPage } from '@/components/AuthPage';
import { useTitle } from '@/lib/useTitle';
import { SIGNED_IN_PATH } from '@/session/providerReturn';
import { loginPath } from '@/session/returnTo';
import { selectSession } from '@/session/sessionSlice';

/** Where a tab ends that was opened to sign in again: the page that waits for it has the session by now. */
export function SignedInPage() {
  const { t } = useTranslation('auth');
  const { token } = useSelector(selectSession);
  useTitle(t('signedIn.title'));
  if (!token) return <Navigate to={loginPath(SIGNED_IN_PATH)} replace />;
  const home = (
    <Anchor component={Link} to="/">
      {t('signedIn.home')}
    </Anchor>
  );
  return (
    <AuthPage title={t('signedIn.title')} links={home}>
      <Text>{t('signedIn.text')}</Text>
    </AuthPage>
  );
}
