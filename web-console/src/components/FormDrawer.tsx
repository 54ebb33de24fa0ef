import { Alert, Button, Drawer, Group } from '@mantine/core';
import { useState, type FormEventHandler, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './ConfirmDialog';
import classes from './FormDrawer.module.css';

/** A form in a drawer at the side. */
export interface FormDrawerProps {
  title: string;
  /** Says what the button does. */
  submitLabel: string;
  busy: boolean;
  dirty: boolean;
  /** What is wrong as a whole. */
  problem: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** Further actions, at the left of the footer. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Creates or edits one thing; asks before what was typed is lost. */
export function FormDrawer(props: FormDrawerProps) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const close = () => (props.dirty ? setLeaving(true) : props.onClose());
  return (
    <>
      <Drawer opened onClose={close} position="right" size={560} title={props.title} classNames={drawerClasses}>
        <form onSubmit={props.onSubmit} noValidate className={classes.form}>
          <div className={classes.fields}>
            {props.problem && (
              <Alert color="red" variant="outline" role="alert" className={classes.problem}>
                {props.problem}
              </Alert>
            )}
            {props.children}
          </div>
          <Group justify="space-between" className={classes.footer}>
            <div>{props.actions}</div>
            <Group gap="xs">
              <Button variant="default" onClick={close}>
                {t('action.cancel')}
              </Button>
              <Button type="submit" disabled={props.busy}>
                {props.busy ? t('action.processing') : props.submitLabel}
              </Button>
            </Group>
          </Group>
        </form>
      </Drawer>
      <ConfirmDialog
        opened={leaving}
        title={t('unsaved.title')}
        text={t('unsaved.text')}
        confirmLabel={t('unsaved.leave')}
        destructive
        onConfirm={props.onClose}
        onCancel={() => setLeaving(false)}
      />
    </>
  );
}

const drawerClasses = { content: classes.content, body: classes.body };
