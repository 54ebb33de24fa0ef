import { TextInput, type TextInputProps } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

type Rest = Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength' | 'autoComplete' | 'placeholder' | 'leftSection'>;

/** One line of text. */
export function TextField<V extends FieldValues>({
  form,
  name,
  label,
  description,
  required,
  first,
  ...rest
}: FieldProps<V> & Rest) {
  const field = useField({ form, name, label, description, required, first });
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      {...field}
      placeholder={field.placeholder ?? rest.placeholder}
      {...form.register(name)}
    />
  );
}
