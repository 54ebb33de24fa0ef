import { PasswordInput } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

/** A new password, which can be made visible. */
export function PasswordField<V extends FieldValues>(props: FieldProps<V>) {
  const { form, name } = props;
  const field = useField(props);
  // A password is only ever set, so there is nothing to read.
  if (form.readOnly) return null;
  return <PasswordInput autoComplete="new-password" {...field} {...form.register(name)} />;
}
