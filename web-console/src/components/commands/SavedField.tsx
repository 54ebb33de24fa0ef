import { useTranslation } from 'react-i18next';
import { useListSavedCommandsQuery } from '@/api/calls/commands';
import type { SavedCommand } from '@/api/generated';
import type { FieldProps } from '@/components/form/field';
import { SelectField } from '@/components/form/SelectField';
import type { Values } from '@/resource/defineResource';
import { argumentsOf } from './commandKinds';

/** No tenant keeps more. */
const ALL = 500;

/** A saved command, whose kind and arguments the form takes over. */
export function SavedField(props: FieldProps<Values>) {
  const { t } = useTranslation('commands');
  const { form } = props;
  const { data } = useListSavedCommandsQuery({ page: 1, pageSize: ALL, sort: 'name' });
  if (!data || data.items.length === 0) return null;
  const take = (saved: SavedCommand | undefined) => {
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    for (const [name, value] of Object.entries(saved ? argumentsOf(saved) : {})) form.setValue(name, value, options);
  };
  return (
    <SelectField
      {...props}
      clearable
      searchable
      placeholder={t('chooseSaved')}
      data={data.items.map(({ id, name }) => ({ value: id, label: name }))}
      onChosen={() => take(data.items.find(({ id }) => id === form.getValues(props.name)))}
    />
  );
}
