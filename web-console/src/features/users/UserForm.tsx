import { Text } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { FormSection } from '@/components/form/FormSection';
import { PasswordField } from '@/components/form/PasswordField';
import { SelectField } from '@/components/form/SelectField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextField } from '@/components/form/TextField';
import { LANGUAGES, LANGUAGE_NAMES } from '@/i18n/languages';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import type { FormProps } from '@/resource/defineResource';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useResourceTexts } from '@/resource/texts';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { RolesField } from './RolesField';
import { rolesSchema, userSchema, userValues, type UserValues } from './userForm';
import { isRolesError, useUserCalls, type SavedUser } from './useUserCalls';
import { useUserSaved } from './useUserSaved';
import { useUserRights, type UserRights } from './userRights';

/** Creates a user, or edits the one given. */
export function UserForm({ row: user, removal, onClose }: FormProps<User>) {
  const { t } = useTranslation('users');
  const { t: texts } = useResourceTexts('users');
  const person = useSelector(selectPerson);
  const rights = useUserRights(user);
  const { send, newest, base } = useUserCalls(user, rights.edits);
  const tellSaved = useUserSaved(user === undefined);
  const form = useEntityForm<SavedUser, UserValues>({
    schema: rights.edits ? userSchema({ isNew: !base, ...rights }) : rolesSchema,
    values: userValues(user),
    namespace: 'users',
    failure: (error) => (isRolesError(error) && rights.edits ? t('rolesPartly') : t('saveFailed')),
    explain: (errors) => (Object.keys(errors).join() === 'role_ids' ? t('rolesInvalid') : undefined),
    readOnly: !rights.edits && !rights.givesRoles,
    // Saving a change asks first; the specification wants that for users.
    question: (values) => user && { title: t('confirmEdit.title', { name: user.name }), text: consequence(values) },
    newest,
    send,
    onSaved: (saved) => {
      tellSaved(saved);
      onClose();
    },
  });
  const consequence = ({ is_active, password }: UserValues) => {
    if (base?.is_active && !is_active) return t('confirmEdit.deactivates');
    return password ? t('confirmEdit.setsPassword') : t('confirmEdit.text');
  };
  // Who may only give roles reads the rest.
  const fields = rights.edits ? form : { ...form, readOnly: true };
  return (
    <DrawerForm form={form} submitLabel={user ? texts('save') : texts('create')} onClose={onClose} actions={removal}>
      <FormSection title={t('section.person')}>
        <TextField form={fields} name="name" label={t('field.name')} required first />
        <TextField form={fields} name="email" label={t('field.email')} type="email" required />
        <TextField form={fields} name="phone" label={t('field.phone')} inputMode="tel" />
        <SelectField
          form={fields}
          name="locale"
          label={t('field.locale')}
          description={t('help.locale')}
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
      </FormSection>
      <EntryFields isOwn={user !== undefined && user.id === person?.id} form={fields} isNew={!user} />
      <RightFields form={fields} rolesForm={form} user={user} rights={rights} />
      <StatusFields form={fields} user={user} rights={rights} />
    </DrawerForm>
  );
}

interface FieldsProps {
  form: EntityForm<UserValues>;
}

/** How the user gets in: by an invitation, or by a password that somebody else has chosen. */
function EntryFields({ form, isNew, isOwn }: FieldsProps & { isNew: boolean; isOwn: boolean }) {
  const { t } = useTranslation('users');
  const mayInvite = can('user:invite', useSelector(selectPerson));
  const invite = useWatch({ control: form.control, name: 'invite' });
  // One's own password is changed in one's account, with the present one.
  if (form.readOnly || isOwn) return null;
  return (
    <FormSection title={t('section.entry')}>
      {isNew && mayInvite && (
        <SwitchField form={form} name="invite" label={t('field.invite')} description={t('help.invite')} />
      )}
      {!(isNew && invite) && (
        <PasswordField
          form={form}
          name="password"
          label={t('field.password')}
          description={isNew ? t('help.password') : t('help.passwordKeep')}
          required={isNew}
        />
      )}
    </FormSection>
  );
}

interface RightFieldsProps extends FieldsProps {
  /** The roles are changed by others than the rest. */
  rolesForm: EntityForm<UserValues>;
  user: User | undefined;
  rights: UserRights;
}

function RightFields({ form, rolesForm, user, rights }: RightFieldsProps) {
  const { t } = useTranslation('users');
  const [tenantId, isAdmin] = useWatch({ control: form.control, name: ['tenant_id', 'is_tenant_admin'] });
  const ofPlatform = user?.is_platform_owner ?? false;
  const names = (user?.roles ?? []).map(({ name }) => name).join(', ');
  return (
    <FormSection title={t('section.rights')}>
      {rights.namesTenant && (
        <EntityField form={form} name="tenant_id" label={t('field.tenant_id')} required>
          {(field) => (
            <ResourceSelect
              of="tenants"
              {...field}
              onChange={(value) => {
                field.onChange(value);
                // Roles belong to their tenant.
                form.setValue('role_ids', []);
              }}
            />
          )}
        </EntityField>
      )}
      {rights.givesRoles && (
        <RolesField
          form={rolesForm}
          tenantId={rights.ownTenant ? null : tenantId}
          present={user?.roles ?? []}
          required={!user || !isAdmin}
        />
      )}
      {!rights.givesRoles && (
        <Text size="sm">
          {ofPlatform ? t('rolesOfPlatform') : user ? t('rolesAre', { names: names || '–' }) : t('rolesByOthers')}
        </Text>
      )}
      {user && rights.edits && rights.noRoles && (
        <Text size="sm" c="dimmed">
          {t(`noRoles.${rights.noRoles}`)}
        </Text>
      )}
      {rights.makesAdmins && (
        <SwitchField
          form={form}
          name="is_tenant_admin"
          label={t('field.is_tenant_admin')}
          description={t('help.tenantAdmin')}
        />
      )}
    </FormSection>
  );
}

function StatusFields({ form, user, rights }: FieldsProps & { user: User | undefined; rights: UserRights }) {
  const { t } = useTranslation('users');
  return (
    <FormSection title={t('section.status')}>
      {rights.subscribes && (
        <SwitchField
          form={form}
          name="is_subscription_active"
          label={t('field.is_subscription_active')}
          description={t('help.subscription')}
        />
      )}
      {user && !rights.isOwn && (
        <SwitchField form={form} name="is_active" label={t('field.is_active')} description={t('help.active')} />
      )}
      <Text size="sm" c="dimmed">
        {rights.isOwn ? t('help.ownStatus') : t('help.status')}
      </Text>
    </FormSection>
  );
}
