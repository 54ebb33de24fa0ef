import { Loader, Text } from '@mantine/core';
import { IconMailOff, IconMailOpened } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useForgotPasswordMutation } from '@/api/calls/auth';
import { useSignInOptionsQuery } from '@/api/calls/signIn';
import { AuthPage } from '@/components/AuthPage';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { PageForm } from '@/components/form/PageForm';
import { TextField } from '@/components/form/TextField';
import { useEntityForm } from '@/lib/useEntityForm';
import { useTitle } from '@/lib/useTitle';
import { emailAddress } from './registrationForm';
import { BackToSignIn } from './SignInLinks';

const schema = z.object({ email: emailAddress });

/** Asks for a link to a new password. What is said afterwards is the same whether there is such an account or not. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('registration');
  useTitle(t('forgot.title'));
  const { data: options, error, refetch } = useSignInOptionsQuery();
  const [sentTo, setSentTo] = useState<string | null>(null);

  if (sentTo !== null) {
    return (
      <AuthPage links={<BackToSignIn />}>
        <EmptyState
          wholePage
          icon={IconMailOpened}
          title={t('forgot.sent')}
          text={t('forgot.sentText', { email: sentTo })}
        />
        <Text size="xs" c="dimmed" ta="center">
          {t('forgot.sentHint')}
        </Text>
      </AuthPage>
    );
  }
  if (options?.mail === false) {
    return (
      <AuthPage links={<BackToSignIn />}>
        <EmptyState wholePage icon={IconMailOff} title={t('forgot.noMail')} text={t('forgot.noMailText')} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t('forgot.title')} links={<BackToSignIn />}>
      {options ? (
        <EmailForm onSent={setSentTo} />
      ) : error ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader mx="auto" aria-busy="true" />
      )}
    </AuthPage>
  );
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('registration');
  const [forgot] = useForgotPasswordMutation();
  const form = useEntityForm<unknown, z.infer<typeof schema>>({
    schema,
    values: { email: '' },
    namespace: 'registration',
    failure: t('forgot.failed'),
    send: (emailRequest) => forgot({ emailRequest }),
    onSaved: (_answer, { email }) => onSent(email),
  });
  return (
    <PageForm form={form} alone submitLabel={t('forgot.submit')}>
      <Text>{t('forgot.text')}</Text>
      <TextField
        form={form}
        name="email"
        type="email"
        label={t('field.email')}
        required
        first
        autoComplete="username"
      />
    </PageForm>
  );
}
