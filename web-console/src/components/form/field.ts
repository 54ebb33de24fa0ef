import { createContext, use, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Registers a field with its form, and gives what all of Mantine's inputs take. `say` puts a value into words. */
export function useField<V extends FieldValues>(
  { form, name, label, description, required, first }: FieldProps<V>,
  say: (value: unknown) => string = plainWords,
) {
  const { t } = useTranslation();
  const tab = use(FormTab);
  const { announce, readOnly } = form;
  const latest = useRef(say);
  useEffect(() => {
    latest.current = say;
  });
  useEffect(
    () => announce(name, { label, tab, say: (value) => latest.current(value) || t('form.nothing') }),
    [announce, name, label, tab, t],
  );
  return {
    label,
    description,
    required: required && !readOnly,
    error: form.message(name),
    readOnly,
    placeholder: readOnly ? '–' : undefined,
    // Without a frame what cannot be changed does not look like a field.
    variant: readOnly ? 'unstyled' : undefined,
    'data-autofocus': (first && !readOnly) || undefined,
  };
}

/** A value that needs no words. */
export const plainWords = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));
