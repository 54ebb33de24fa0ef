import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router';
import { ended, selectSession } from '@/session/sessionSlice';
import { signOut } from '@/session/signOut';

/** Leads back to the page of the sign-in. */
export function BackToSignIn() {
  const { t } = useTranslation('registration');
  return (
    <Anchor component={Link} to="/auth/login">
      {t('back')}
    </Anchor>
  );
}

/** Signs in whoever's link this was, in the place of who is signed in here. */
export function SignInAs({ email }: { email: string }) {
  const { t } = useTranslation('registration');
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { token } = useSelector(selectSession);
  const go = async () => {
    if (token) {
      await signOut(token);
      dispatch(ended('signed_out'));
    }
    await navigate('/auth/login', { state: { email } });
  };
  return <Button onClick={() => void go()}>{t('signIn')}</Button>;
}
