import { Select, type SelectProps } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

interface Named {
  value: string;
  label: string;
}

type Rest = Pick<SelectProps, 'data' | 'searchable' | 'clearable' | 'limit' | 'placeholder'> & {
  /** Something has been chosen, or taken back. */
  onChosen?: () => void;
};

/** One of a few values that are known beforehand. */
export function SelectField<V extends FieldValues>({
  data,
  searchable,
  clearable,
  limit,
  placeholder,
  onChosen,
  ...props
}: FieldProps<V> & Rest) {
  const named = (data ?? []) as readonly Named[];
  const own = useField(props, (value) => named.find((each) => each.value === value)?.label ?? String(value));
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <Select
          {...own}
          {...field}
          data={data}
          searchable={searchable}
          clearable={clearable}
          limit={limit}
          placeholder={own.placeholder ?? placeholder}
          rightSection={own.readOnly ? <></> : undefined}
          allowDeselect={clearable ?? false}
          onChange={(value) => {
            field.onChange(value ?? '');
            onChosen?.();
          }}
        />
      )}
    />
  );
}
