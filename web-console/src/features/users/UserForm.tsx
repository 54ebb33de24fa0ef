import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCreateUserMutation, useUpdateUserMutation } from '@/api/api';
import type { User } from '@/api/types';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { PasswordField } from '@/components/form/PasswordField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextField } from '@/components/form/TextField';
import { TenantSelect } from '@/components/TenantSelect';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { selectPerson } from '@/session/sessionSlice';
import { newUserSchema, userInput, userSchema, userValues } from './userForm';

/** Creates a user, or edits the one given. */
export function UserForm({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  // A platform owner belongs to no tenant and has to say to which one a new user belongs.
  const namesTenant = !user && (person?.isPlatformOwner ?? false);
  const [create] = useCreateUserMutation();
  const [update] = useUpdateUserMutation();
  const form = useEntityForm({
    schema: user ? userSchema : newUserSchema(namesTenant),
    values: userValues(user),
    namespace: 'users',
    failure: t('saveFailed'),
    // Saving a change asks first; the specification wants that for users.
    question: user && { title: t('confirmEdit.title', { name: user.name }), text: t('confirmEdit.text') },
    send: (values) => {
      const input = userInput(values, !user);
      return user
        ? update({ id: user.id, 'If-Match': String(user.row_version), userInput: input })
        : create({ userInput: input });
    },
    onSaved: () => {
      toastSuccess(user ? t('updated') : t('created'));
      onClose();
    },
  });
  return (
    <DrawerForm form={form} submitLabel={user ? t('save') : t('create')} onClose={onClose}>
      <TextField form={form} name="name" label={t('field.name')} required first />
      <TextField form={form} name="email" label={t('field.email')} type="email" required />
      <TextField form={form} name="phone" label={t('field.phone')} inputMode="tel" />
      <PasswordField
        form={form}
        name="password"
        label={t('field.password')}
        description={user ? t('help.passwordKeep') : t('help.password')}
        required={!user}
      />
      {namesTenant && (
        <EntityField form={form} name="tenant_id" label={t('field.tenant')} required>
          {(field) => <TenantSelect {...field} />}
        </EntityField>
      )}
      {!user?.is_platform_owner && (
        <SwitchField form={form} name="is_tenant_admin" label={t('field.tenantAdmin')} description={t('help.tenantAdmin')} />
      )}
      {user && <SwitchField form={form} name="is_active" label={t('field.active')} description={t('help.active')} />}
    </DrawerForm>
  );
}
