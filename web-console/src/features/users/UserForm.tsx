import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCreateUserMutation, useUpdateUserMutation } from '@/api/api';
import type { User } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { FormDrawer } from '@/components/FormDrawer';
import { TenantSelect } from '@/components/TenantSelect';
import { toastSuccess } from '@/lib/toast';
import { useSave } from '@/lib/useSave';
import { selectPerson } from '@/session/sessionSlice';
import { USER_FIELDS, userInput, userSchema, userValues, type UserValues } from './userForm';

/** Creates a user, or edits the one given. */
export function UserForm({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const person = useSelector(selectPerson);
  // A platform owner belongs to no tenant and has to say to which one a new user belongs.
  const namesTenant = !user && (person?.isPlatformOwner ?? false);
  const [create] = useCreateUserMutation();
  const [update] = useUpdateUserMutation();
  const [confirming, setConfirming] = useState<UserValues | null>(null);

  const form = useForm<UserValues>({ resolver: zodResolver(userSchema), defaultValues: userValues(user) });
  const { errors, isDirty } = form.formState;
  const message = (field: keyof UserValues) => {
    const error = errors[field];
    if (!error?.message) return undefined;
    return error.type === 'server' ? error.message : t(error.message as 'validation.required');
  };

  const { save, busy, problem } = useSave<User, UserValues>({
    fields: USER_FIELDS,
    setError: form.setError,
    failure: t('saveFailed'),
    onSaved: () => {
      toastSuccess(user ? t('updated') : t('created'));
      onClose();
    },
  });

  const send = (values: UserValues) =>
    save(async () => {
      const input = userInput(values, !user);
      const answer = user
        ? await update({ id: user.id, 'If-Match': String(user.row_version), userInput: input })
        : await create({ userInput: input });
      return answer as { data: User } | { error: unknown };
    });

  // Saving a change asks first; the specification wants that for users.
  const submit = form.handleSubmit((values) => {
    if (user) return setConfirming(values);
    if (!values.password) return form.setError('password', { message: 'validation.passwordRequired' });
    if (namesTenant && !values.tenant_id) return form.setError('tenant_id', { message: 'validation.tenant' });
    return send(values);
  });

  return (
    <FormDrawer
      title={user ? t('editTitle', { name: user.name }) : t('createTitle')}
      submitLabel={user ? t('save') : t('create')}
      busy={busy}
      dirty={isDirty}
      problem={problem}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextInput label={t('field.name')} required error={message('name')} {...form.register('name')} data-autofocus />
      <TextInput
        label={t('field.email')}
        type="email"
        autoComplete="off"
        required
        error={message('email')}
        {...form.register('email')}
      />
      <TextInput label={t('field.phone')} inputMode="tel" error={message('phone')} {...form.register('phone')} />
      <PasswordInput
        label={t('field.password')}
        description={user ? t('help.passwordKeep') : t('help.password')}
        autoComplete="new-password"
        required={!user}
        error={message('password')}
        {...form.register('password')}
      />
      {namesTenant && (
        <Controller
          control={form.control}
          name="tenant_id"
          render={({ field }) => (
            <TenantSelect
              label={t('field.tenant')}
              required
              error={message('tenant_id')}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
      {!user?.is_platform_owner && (
        <Switch
          label={t('field.tenantAdmin')}
          description={t('help.tenantAdmin')}
          {...form.register('is_tenant_admin')}
        />
      )}
      {user && <Switch label={t('field.active')} description={t('help.active')} {...form.register('is_active')} />}
      <ConfirmDialog
        opened={confirming !== null}
        title={t('confirmEdit.title', { name: user?.name })}
        text={t('confirmEdit.text')}
        confirmLabel={common('action.save')}
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          if (confirming) void send(confirming);
          setConfirming(null);
        }}
      />
    </FormDrawer>
  );
}
