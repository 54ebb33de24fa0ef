import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { ResumeDialog } from '@/features/auth/ResumeDialog';
import { toastWarning } from '@/lib/toast';
import { takePersonSwitch } from '@/session/personSwitch';
import { selectPerson, selectSession } from '@/session/sessionSlice';

/**
 * What becomes of the session while somebody works: when it has ended they sign in again over their screen, and when
 * another person has taken it over in another tab they are told.
 */
export function SessionNotices() {
  const { t } = useTranslation();
  const { token, user } = useSelector(selectSession);
  const person = useSelector(selectPerson);
  const name = person?.name || person?.email;
  useEffect(() => {
    if (name && takePersonSwitch()) toastWarning(t('session.switched', { name }));
  }, [t, name]);
  return user && !token ? <ResumeDialog user={user} /> : null;
}
