import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useChangePasswordMutation } from '@/api/calls/account';
import { useForgotPasswordMutation } from '@/api/calls/auth';
import { useSignInOptionsQuery } from '@/api/calls/signIn';
import type { Profile } from '@/api/generated';
import { NewPasswordField } from '@/components/form/NewPasswordField';
import { PageForm } from '@/components/form/PageForm';
import { PasswordField } from '@/components/form/PasswordField';
import { errorText } from '@/i18n/errorText';
import { toastError, toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { selectSession } from '@/session/sessionSlice';
import { passwordSchema, type PasswordValues } from './accountForm';
import { Section } from './Section';

const NO_PASSWORDS: PasswordValues = { current_password: '', new_password: '' };

/** Another password, or the first one of who signs in by the provider alone. */
export function PasswordSection({ profile }: { profile: Profile }) {
  return profile.has_password ? <ChangePassword profile={profile} /> : <FirstPassword email={profile.email} />;
}

/** Whoever has the letter box may choose it. */
function FirstPassword({ email }: { email: string }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation('common');
  const { data: options } = useSignInOptionsQuery();
  const [ask, { isLoading }] = useForgotPasswordMutation();
  const send = async () => {
    const { error } = await ask({ emailRequest: { email } });
    if (error === undefined) toastSuccess(t('password.linkSent', { email }));
    else toastError(`${t('password.linkFailed')} ${errorText(error, common)}`);
  };
  return (
    <Section title={t('password.title')} text={t('password.none')}>
      {options?.mail === false ? (
        <Text>{t('password.askAdmin')}</Text>
      ) : (
        <Button mr="auto" loading={isLoading} onClick={() => void send()}>
          {t('password.sendLink')}
        </Button>
      )}
    </Section>
  );
}

/** Whoever else knew the old one is out. */
function ChangePassword({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account');
  const { user } = useSelector(selectSession);
  const [change] = useChangePasswordMutation();
  const form = useEntityForm<unknown, PasswordValues>({
    schema: passwordSchema,
    values: NO_PASSWORDS,
    namespace: 'account',
    failure: t('password.failed'),
    send: (changePasswordRequest) => change({ changePasswordRequest }),
    valuesAfter: () => NO_PASSWORDS,
    onSaved: () => toastSuccess(t('password.saved')),
  });
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <PageForm form={form} submitLabel={t('password.submit')}>
        {/* Password managers look for whose password it is. */}
        <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
        <PasswordField
          form={form}
          name="current_password"
          label={t('field.currentPassword')}
          required
          autoComplete="current-password"
        />
        <NewPasswordField
          form={form}
          name="new_password"
          label={t('field.newPassword')}
          required
          known={[profile.name, profile.email, user?.tenant_name ?? '']}
        />
      </PageForm>
    </Section>
  );
}
