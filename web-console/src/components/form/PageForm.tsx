import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { EntityForm } from '@/lib/useEntityForm';
import { BusyButton } from '../BusyButton';
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
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <ErrorSummary form={form} />
      {children}
      {!form.readOnly && (
        <BusyButton type="submit" size={alone ? 'md' : 'sm'} fullWidth={alone} mr="auto" busy={form.busy}>
          {submitLabel}
        </BusyButton>
      )}
    </form>
  );
}
