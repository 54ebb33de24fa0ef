import { Alert, Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from './BusyButton';
import classes from './ConfirmDialog.module.css';

/** A question before something that matters. */
export interface ConfirmDialogProps {
  opened: boolean;
  /** Names the object. */
  title: string;
  /** Names the consequence. */
  text: string;
  confirmLabel: string;
  /** 'Cancel' unless told. */
  cancelLabel?: string;
  /** Whether what follows cannot be undone. */
  destructive?: boolean;
  /** Has to be typed first, for what cannot come back. */
  typeName?: string;
  busy?: boolean;
  /** Why it could not be done. */
  problem?: string | null;
  /** What else has to be said first, e.g. what takes its place. */
  children?: ReactNode;
  /** It has not been said yet. */
  incomplete?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that matters, naming the object and what will happen to it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={() => !props.busy && props.onCancel()}
      title={props.title}
      zIndex={300}
      size="sm"
      classNames={modalClasses}
    >
      <Question {...props} />
    </Modal>
  );
}

/** Apart from the dialog, so that each question begins with an empty field. No form: it may be asked from within one. */
function Question(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const isNamed = props.typeName === undefined || typed.trim() === props.typeName.trim();
  const mayConfirm = isNamed && !props.incomplete;
  const confirm = () => {
    if (mayConfirm && !props.busy) props.onConfirm();
  };
  return (
    <>
      <Text>{props.text}</Text>
      {props.children}
      {props.typeName !== undefined && (
        <TextInput
          mt="md"
          label={t('confirm.typeName', { name: props.typeName })}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            confirm();
          }}
          data-autofocus
        />
      )}
      {props.problem && (
        <Alert color="red" variant="outline" role="alert" mt="md" className={classes.problem}>
          {props.problem}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button
          variant="default"
          onClick={props.onCancel}
          disabled={props.busy}
          data-autofocus={(props.destructive && props.typeName === undefined) || undefined}
        >
          {props.cancelLabel ?? t('action.cancel')}
        </Button>
        <BusyButton
          onClick={confirm}
          color={props.destructive ? 'red.8' : undefined}
          busy={props.busy ?? false}
          disabled={!mayConfirm}
          data-autofocus={props.destructive ? undefined : true}
        >
          {props.confirmLabel}
        </BusyButton>
      </Group>
    </>
  );
}

const modalClasses = { title: classes.title };
