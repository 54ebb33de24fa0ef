import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { lazyPart } from '@/lib/lazyPart';
import { toastInfo } from '@/lib/toast';
import { takePersonSwitch } from '@/session/personSwitch';
import { selectPerson, selectSession } from '@/session/sessionSlice';

const loadDialog = () => import('@/features/auth/ResumeDialog');
const ResumeDialog = lazyPart(async () => (await loadDialog()).ResumeDialog);

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
    if (name && takePersonSwitch()) toastInfo(t('session.switched', { name }));
  }, [t, name]);
  // It is there by the time it is needed: the server may be away then, or another version.
  useEffect(() => void loadDialog().catch(() => undefined), []);
  if (!user || token) return null;
  return (
    <Suspense fallback={null}>
      <ResumeDialog user={user} />
    </Suspense>
  );
}
