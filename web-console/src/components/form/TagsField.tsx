import { TagsInput } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

/** Several short words. */
export function TagsField<V extends FieldValues>(props: FieldProps<V>) {
  const own = useField(props);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => <TagsInput {...own} {...field} />}
    />
  );
}
