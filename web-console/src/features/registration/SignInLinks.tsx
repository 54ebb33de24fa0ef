import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Leads back to the page of the sign-in. */
export function BackToSignIn() {
  const { t } = useTranslation('registration');
  return (
    <Anchor component={Link} to="/auth/login">
      {t('back')}
    </Anchor>
  );
}

/** Leads whoever's link this was to the sign-in, where their address stands already. */
export function SignInAs({ email }: { email: string }) {
  const { t } = useTranslation('registration');
  return (
    <Button component={Link} to="/auth/login" state={{ email }}>
      {t('signIn')}
    </Button>
  );
}
