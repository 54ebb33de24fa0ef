import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { EntityForm } from '@/lib/useEntityForm';
import { ErrorSummary } from './ErrorSummary';
import classes from './PageForm.module.css';

interface PageFormProps<V extends FieldValues> {
  form: EntityForm<V>;
  submitLabel: string;
  /** The form is all that there is on the page. */
  alone?: boolean;
  children: ReactNode;
}

/** A form that stands on the page itself: summary of errors, fields, and the button below them. */
export function PageForm<V extends FieldValues>({ form, submitLabel, alone, children }: PageFormProps<V>) {
  const { t } = useTranslation();
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <ErrorSummary form={form} />
      {children}
      <Button type="submit" size={alone ? 'md' : 'sm'} fullWidth={alone} mr="auto" disabled={form.busy}>
        {form.busy ? t('action.processing') : submitLabel}
      </Button>
    </form>
  );
}
