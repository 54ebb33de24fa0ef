import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUpdateAccountMutation } from '@/api/calls/account';
import type { Profile } from '@/api/generated';
import { useUnsaved } from '@/components/unsaved';
import { PageForm } from '@/components/form/PageForm';
import { SelectField } from '@/components/form/SelectField';
import { TextField } from '@/components/form/TextField';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import type { MutationResult } from '@/lib/mutationResult';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { profileSchema, type ProfileValues } from './accountForm';
import { Section } from './Section';

/** Name, telephone, and the language of one's mails. */
export function ProfileSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('profile.title')}>
      <ProfileForm profile={profile} />
    </Section>
  );
}

const valuesOf = ({ name, phone, locale }: Profile): ProfileValues => ({ name, phone, locale: languageOf(locale) });

function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account');
  const [update] = useUpdateAccountMutation();
  const form = useEntityForm<Profile, ProfileValues>({
    schema: profileSchema,
    values: valuesOf(profile),
    namespace: 'account',
    failure: t('profile.failed'),
    send: (profileInput) => update({ profileInput }) as Promise<MutationResult<Profile>>,
    valuesAfter: valuesOf,
    onSaved: () => toastSuccess(t('profile.saved')),
  });
  useUnsaved({ saving: form.busy, holdsChanges: form.holdsChanges, inDrawer: false });
  return (
    <PageForm form={form} submitLabel={t('profile.submit')}>
      <TextField form={form} name="name" label={t('field.name')} required autoComplete="name" />
      <TextInput
        label={t('field.email')}
        description={t('help.email')}
        value={profile.email}
        readOnly
        variant="filled"
      />
      <TextField form={form} name="phone" type="tel" label={t('field.phone')} autoComplete="tel" />
      <SelectField
        form={form}
        name="locale"
        label={t('field.locale')}
        description={t('help.locale')}
        data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
    </PageForm>
  );
}
