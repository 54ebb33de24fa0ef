import { Alert, Text } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListCommandKindsQuery } from '@/api/calls/commands';
import type { FieldProps } from '@/components/form/field';
import { SelectField } from '@/components/form/SelectField';
import type { Values } from '@/resource/defineResource';
import { useFormContext } from '@/resource/formContext';
import { can, type Ability } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { COMMAND_KINDS } from './commandKinds';

/** What some kinds need besides the right to send any. */
const RIGHTS: Partial<Record<string, Ability>> = {
  engine_stop: 'command:engine',
  engine_resume: 'command:engine',
  custom: 'command:raw',
};

/** What can be sent to the device of the form; nothing is known of that where there are several. */
function useKinds() {
  const { form } = useFormContext();
  const id = String(useWatch({ control: form.control, name: 'device_id' }) ?? '');
  return useListCommandKindsQuery({ id }, { skip: id === '' }).currentData;
}

/** What the tracker shall do: what its protocol knows, and this person may. */
export function KindField(props: FieldProps<Values>) {
  const { t } = useTranslation('commands');
  const person = useSelector(selectPerson);
  const known = useKinds()?.items;
  const present: unknown = props.form.getValues(props.name);
  const kinds = COMMAND_KINDS.filter((kind) => {
    if (kind === present) return true;
    const right = RIGHTS[kind];
    return (!known || known.some((each) => each === kind)) && (!right || can(right, person));
  });
  return (
    <SelectField
      {...props}
      data={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
      placeholder={kinds.length === 0 ? t('noKinds') : t('chooseKind')}
    />
  );
}

/** What follows of stopping an engine. */
export function KindNote({ value }: { value: string }) {
  const { t } = useTranslation('commands');
  const needsConsent = useKinds()?.engine_stop_consent;
  if (value !== 'engine_stop') return null;
  return (
    <Alert color="yellow" variant="outline">
      <Text size="sm" fw={600}>
        {t('engineStop.title')}
      </Text>
      {t('engineStop.text')} {needsConsent && t('engineStop.consent')}
    </Alert>
  );
}
