import { Anchor, Checkbox, Loader, Text } from '@mantine/core';
import { IconBuilding, IconBuildingOff, IconMailOpened } from '@tabler/icons-react';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { Trans, useTranslation } from 'react-i18next';
import { useRegisterMutation } from '@/api/calls/auth';
import { useSignInOptionsQuery } from '@/api/calls/signIn';
import { errorCode } from '@/api/errors';
import { AuthPage } from '@/components/AuthPage';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useField } from '@/components/form/field';
import { PageForm } from '@/components/form/PageForm';
import { TextField } from '@/components/form/TextField';
import { languageOf } from '@/i18n/languages';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { useTitle } from '@/lib/useTitle';
import { NO_REGISTRATION, registrationSchema, schemaWithoutTerms, type RegistrationValues } from './registrationForm';
import { BackToSignIn } from './SignInLinks';

/** A company registers itself, with its first person, who chooses a password behind the link that they get. */
export function RegisterPage() {
  const { t } = useTranslation('registration');
  useTitle(t('register.title'));
  const { data: options, error, refetch } = useSignInOptionsQuery();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [closed, setClosed] = useState(false);

  if (sentTo !== null) {
    return (
      <AuthPage links={<BackToSignIn />}>
        {options?.mail === false ? (
          <EmptyState
            wholePage
            icon={IconBuilding}
            title={t('register.taken')}
            text={t('register.takenText', { email: sentTo })}
          />
        ) : (
          <>
            <EmptyState
              wholePage
              icon={IconMailOpened}
              title={t('register.sent')}
              text={t('register.sentText', { email: sentTo })}
            />
            <Text size="xs" c="dimmed" ta="center">
              {t('register.sentHint')}
            </Text>
          </>
        )}
      </AuthPage>
    );
  }
  if (closed || options?.registration === false) {
    return (
      <AuthPage links={<BackToSignIn />}>
        <EmptyState wholePage icon={IconBuildingOff} title={t('register.closed')} text={t('register.closedText')} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t('register.title')} links={<BackToSignIn />}>
      {options ? (
        <RegistrationForm termsUrl={options.terms_url} onSent={setSentTo} onClosed={() => setClosed(true)} />
      ) : error ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader mx="auto" aria-busy="true" />
      )}
    </AuthPage>
  );
}

interface RegistrationFormProps {
  /** Where the terms can be read, if anywhere. */
  termsUrl?: string;
  onSent: (email: string) => void;
  onClosed: () => void;
}

function RegistrationForm({ termsUrl, onSent, onClosed }: RegistrationFormProps) {
  const { t, i18n } = useTranslation('registration');
  const [register] = useRegisterMutation();
  const form = useEntityForm<unknown, RegistrationValues>({
    schema: termsUrl ? registrationSchema : schemaWithoutTerms,
    values: NO_REGISTRATION,
    namespace: 'registration',
    failure: t('register.failed'),
    send: async (values) => {
      const answer = await register({ registrationInput: { ...values, locale: languageOf(i18n.language) } });
      if (errorCode(answer.error) === 'registration_closed') onClosed();
      return answer;
    },
    onSaved: (_answer, { email }) => onSent(email),
  });
  return (
    <PageForm form={form} alone submitLabel={t('register.submit')}>
      <TextField form={form} name="company" label={t('field.company')} required first autoComplete="organization" />
      <TextField form={form} name="name" label={t('field.name')} required autoComplete="name" />
      <TextField form={form} name="email" type="email" label={t('field.email')} required autoComplete="username" />
      <TextField
        form={form}
        name="phone"
        type="tel"
        label={t('field.phone')}
        description={t('help.phone')}
        required
        autoComplete="tel"
      />
      <TextField
        form={form}
        name="tax_number"
        label={t('field.taxNumber')}
        description={t('help.taxNumber')}
        inputMode="numeric"
      />
      {termsUrl && <Terms form={form} url={termsUrl} />}
    </PageForm>
  );
}

function Terms({ form, url }: { form: EntityForm<RegistrationValues>; url: string }) {
  const { t } = useTranslation('registration');
  const { error } = useField({ form, name: 'accepts_terms', label: t('field.terms') });
  const text = (
    <Trans
      t={t}
      i18nKey="field.termsAt"
      components={{ a: <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always" /> }}
    />
  );
  return (
    <Controller
      control={form.control}
      name="accepts_terms"
      render={({ field: { value, ...field } }) => <Checkbox {...field} checked={value} label={text} error={error} />}
    />
  );
}
