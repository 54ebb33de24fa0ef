import { Controller, useWatch } from 'react-hook-form';
import { useField, type FieldProps } from '@/components/form/field';
import type { Values } from './defineResource';
import { useNames } from './names';
import type { ResourceKey } from './registry';
import { ResourceMultiSelect } from './ResourceMultiSelect';
import type { Within } from './ResourceSelect';

const idsIn = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);

interface ResourcesFieldProps extends FieldProps<Values>, Within {
  of: ResourceKey;
}

/** Several other things by their ids, which are one text with commas between. */
export function ResourcesField({ of, tenantId, where, ...props }: ResourcesFieldProps) {
  const { control } = props.form;
  const names = useNames(of, idsIn(useWatch({ control, name: props.name })));
  const field = useField(props, (value) =>
    idsIn(value)
      .map((id) => names[id] ?? '…')
      .join(', '),
  );
  return (
    <Controller
      control={control}
      name={props.name}
      render={({ field: input }) => (
        <ResourceMultiSelect
          {...field}
          {...input}
          of={of}
          tenantId={tenantId}
          where={where}
          value={idsIn(input.value)}
          onChange={(ids) => input.onChange(ids.join(','))}
          clearable={!field.readOnly}
        />
      )}
    />
  );
}
