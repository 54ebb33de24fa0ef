import { Textarea } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './field';

/** Several lines of text; grows with what is typed. */
export function TextAreaField<V extends FieldValues>(props: FieldProps<V>) {
  const { form, name } = props;
  return <Textarea autosize minRows={2} maxRows={10} {...useField(props)} {...form.register(name)} />;
}
