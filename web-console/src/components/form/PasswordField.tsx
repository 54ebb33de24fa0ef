import { PasswordInput } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

/** A password, a new one unless told, which can be made visible. */
export function PasswordField<V extends FieldValues>({
  autoComplete = 'new-password',
  ...props
}: FieldProps<V> & { autoComplete?: string }) {
  const { form, name } = props;
  const field = useField(props);
  // A password is only ever set, so there is nothing to read.
  if (form.readOnly) return null;
  return <PasswordInput autoComplete={autoComplete} {...field} {...form.register(name)} />;
}
