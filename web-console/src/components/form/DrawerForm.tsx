import { Button, Group } from '@mantine/core';
import { useEffect, useId, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { EntityForm } from '@/lib/useEntityForm';
import { BusyButton } from '../BusyButton';
import { ConfirmDialog } from '../ConfirmDialog';
import { useUnsaved } from '../unsaved';
import classes from '../DrawerBody.module.css';
import { ErrorSummary } from './ErrorSummary';
import { MergeDialog } from './MergeDialog';

interface DrawerFormProps<V extends FieldValues> {
  form: EntityForm<V>;
  /** Says what the button does. */
  submitLabel: string;
  onClose: () => void;
  /** Further acts, at the left of the footer. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The form inside a `DetailDrawer`: summary of errors, fields, and a footer that stays in sight. */
export function DrawerForm<V extends FieldValues>({
  form,
  submitLabel,
  onClose,
  actions,
  children,
}: DrawerFormProps<V>) {
  const { t } = useTranslation();
  const id = useId();
  useUnsaved({ saving: form.busy, holdsChanges: form.holdsChanges });
  // The drawer opens before its thing is there, so that its own look for a first field finds none.
  useEffect(() => {
    document.getElementById(id)?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
  }, [id]);
  return (
    <>
      <form id={id} onSubmit={form.submit} noValidate className={classes.content}>
        <ErrorSummary form={form} />
        {children}
      </form>
      {/* Outside of the form, because an act may ask in a form of its own. */}
      <Group justify="space-between" className={classes.footer}>
        <div>{actions}</div>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {form.readOnly ? t('action.close') : t('action.cancel')}
          </Button>
          {!form.readOnly && (
            <BusyButton type="submit" form={id} busy={form.busy}>
              {submitLabel}
            </BusyButton>
          )}
        </Group>
      </Group>
      {form.conflict && <MergeDialog fields={form.conflict.fields} onDone={form.merge} />}
      <ConfirmDialog
        opened={form.question !== null}
        title={form.question?.title ?? ''}
        text={form.question?.text ?? ''}
        confirmLabel={form.question?.confirm ?? t('action.save')}
        destructive={form.question?.destructive}
        onConfirm={() => form.answer(true)}
        onCancel={() => form.answer(false)}
      >
        {form.question?.about}
      </ConfirmDialog>
    </>
  );
}
