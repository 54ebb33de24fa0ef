import { Select, type SelectProps } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

type Rest = Pick<SelectProps, 'data' | 'searchable' | 'clearable' | 'limit' | 'placeholder'>;

/** One of a few values that are known beforehand. */
export function SelectField<V extends FieldValues>({
  data,
  searchable,
  clearable,
  limit,
  placeholder,
  ...props
}: FieldProps<V> & Rest) {
  const own = useField(props);
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
          onChange={(value) => field.onChange(value ?? '')}
        />
      )}
    />
  );
}
