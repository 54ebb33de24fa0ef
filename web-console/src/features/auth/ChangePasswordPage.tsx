import { Anchor, PasswordInput, Text } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { z } from 'zod';
import { useChangePasswordMutation } from '@/api/calls/account';
import { fieldErrors } from '@/api/errors';
import type { SessionUser } from '@/api/generated';
import { refreshAbilities } from '@/api/refreshAbilities';
import { AuthPage } from '@/components/AuthPage';
import { useField } from '@/components/form/field';
import { NewPasswordField } from '@/components/form/NewPasswordField';
import { PageForm } from '@/components/form/PageForm';
import { newPassword } from '@/lib/newPassword';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { useTitle } from '@/lib/useTitle';
import { ended, selectSession } from '@/session/sessionSlice';
import { signOut } from '@/session/signOut';
import { useTypedPassword } from '@/session/typedPassword';

const schema = z.object({
  current_password: z.string().min(1, 'common:validation.required'),
  new_password: newPassword,
});
type Values = z.infer<typeof schema>;

/** Whose password somebody else has set chooses one of their own, before anything else; then the page that was asked for. */
export function ChangePasswordPage({ user }: { user: SessionUser }) {
  const { t } = useTranslation('auth');
  const store = useStore();
  useTitle(t('change.title'));
  const [change] = useChangePasswordMutation();
  const typed = useTypedPassword();
  // Who comes here from the sign-in has just typed it.
  const [asks, setAsks] = useState(typed === null);
  const form = useEntityForm<unknown, Values>({
    schema,
    values: { current_password: typed?.password ?? '', new_password: '' },
    namespace: 'auth',
    failure: t('change.failed'),
    send: async (changePasswordRequest) => {
      const answer = await change({ changePasswordRequest });
      // Meanwhile somebody may have set another one.
      if ('current_password' in fieldErrors(answer.error)) setAsks(true);
      return answer;
    },
    // The server says what is open to them now.
    onSaved: () => void refreshAbilities(store),
  });
  return (
    <AuthPage title={t('change.title')} links={<SignOut />}>
      <PageForm form={form} alone submitLabel={t('change.submit')}>
        <Text>{t('change.text')}</Text>
        {/* Password managers look for whose password it is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        {asks && <CurrentPassword form={form} />}
        <NewPasswordField
          form={form}
          name="new_password"
          label={t('change.new')}
          required
          first={!asks}
          known={[user.name, user.email, user.tenant_name ?? '']}
        />
      </PageForm>
    </AuthPage>
  );
}

function CurrentPassword({ form }: { form: EntityForm<Values> }) {
  const { t } = useTranslation('auth');
  const field = useField({ form, name: 'current_password', label: t('change.current'), required: true });
  const { ref, ...registered } = form.register('current_password');
  const merged = useMergedRef(ref, useFocusOnMount<HTMLInputElement>());
  return <PasswordInput autoComplete="current-password" {...field} {...registered} ref={merged} />;
}

function SignOut() {
  const { t } = useTranslation('auth');
  const dispatch = useDispatch();
  const { token } = useSelector(selectSession);
  const leave = async () => {
    await signOut(token);
    dispatch(ended('signed_out'));
  };
  return (
    <Anchor component="button" type="button" onClick={() => void leave()}>
      {t('change.signOut')}
    </Anchor>
  );
}
