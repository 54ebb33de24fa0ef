import { PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChangePasswordMutation } from '@/api/api';
import type { Profile } from '@/api/generated';
import { useField } from '@/components/form/field';
import { NewPasswordField } from '@/components/form/NewPasswordField';
import { PageForm } from '@/components/form/PageForm';
import type { Answer } from '@/lib/answers';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { passwordSchema, type PasswordValues } from './accountForm';
import { Section } from './Section';

/** Another password; whoever else knew the old one is out. */
export function PasswordSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account');
  const [change] = useChangePasswordMutation();
  const form = useEntityForm<null, PasswordValues>({
    schema: passwordSchema,
    values: { current_password: '', new_password: '' },
    namespace: 'account',
    failure: t('password.failed'),
    send: async (changePasswordRequest): Promise<Answer<null>> => {
      const { error } = await change({ changePasswordRequest });
      return error === undefined ? { data: null } : { error };
    },
    onSaved: () => {
      toastSuccess(t('password.saved'));
      form.reset();
    },
  });
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <PageForm form={form} submitLabel={t('password.submit')}>
        {/* Password managers look for whose password it is. */}
        <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
        <CurrentPassword form={form} />
        <NewPasswordField
          form={form}
          name="new_password"
          label={t('field.newPassword')}
          required
          known={[profile.name, profile.email]}
        />
      </PageForm>
    </Section>
  );
}

function CurrentPassword({ form }: { form: EntityForm<PasswordValues> }) {
  const { t } = useTranslation('account');
  const field = useField({ form, name: 'current_password', label: t('field.currentPassword'), required: true });
  return <PasswordInput autoComplete="current-password" {...field} {...form.register('current_password')} />;
}
