import { useTranslation } from 'react-i18next';
import { actErrorText } from '@/i18n/errorText';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import { useResourceTexts } from '@/resource/texts';
import { showLink } from './LinkDialog';
import type { SavedUser } from './useUserCalls';

/** Tells what came of saving a user, also when it did not come to its end. */
export function useUserSaved(isNew: boolean) {
  const { t } = useTranslation('users');
  const { t: texts } = useResourceTexts('users');
  const { t: common } = useTranslation('common');
  return ({ user, invitation }: SavedUser) => {
    if (!user) return toastWarning(t('idMissing'));
    toastSuccess(isNew ? texts('created') : texts('updated'));
    if (!invitation) return;
    if (!invitation.data) {
      return toastError(`${t('invitationFailed', { name: user.name })} ${actErrorText(invitation.error, common)}`);
    }
    const { mailed_to, link, expires_at } = invitation.data;
    if (link) showLink({ purpose: 'invitation', name: user.name, email: user.email, link, expiresAt: expires_at });
    else toastSuccess(t('link.invitation.mailed', { email: mailed_to ?? user.email }));
  };
}
