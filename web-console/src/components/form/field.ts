import { createContext, use, useEffect } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { EntityForm } from '@/lib/useEntityForm';

/** What every field of a form is given. */
export interface FieldProps<V extends FieldValues> {
  form: EntityForm<V>;
  name: FieldPath<V>;
  label: string;
  description?: string;
  required?: boolean;
  /** Where the keyboard is when the form opens. */
  first?: boolean;
}

/** The tab on which a field stands. */
export const FormTab = createContext<string | null>(null);

/** Registers a field with its form, and gives what all of Mantine's inputs take. */
export function useField<V extends FieldValues>({ form, name, label, description, required, first }: FieldProps<V>) {
  const tab = use(FormTab);
  const { announce, readOnly } = form;
  useEffect(() => announce(name, { label, tab }), [announce, name, label, tab]);
  return {
    label,
    description,
    required: required && !readOnly,
    error: form.message(name),
    readOnly,
    placeholder: readOnly ? '–' : undefined,
    // Without a frame what cannot be changed does not look like a field.
    variant: readOnly ? 'unstyled' : undefined,
    'data-autofocus': first || undefined,
  };
}
