import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A question before something that matters. */
export interface ConfirmDialogProps {
  opened: boolean;
  /** Names the object. */
  title: string;
  /** Names the consequence. */
  text: string;
  confirmLabel: string;
  /** Whether what follows cannot be undone. */
  destructive?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that matters, naming the object and what will happen to it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened={props.opened} onClose={props.onCancel} title={props.title} zIndex={300} size="sm">
      <Text>{props.text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={props.onCancel} disabled={props.busy}>
          {t('action.cancel')}
        </Button>
        <Button
          color={props.destructive ? 'red.8' : undefined}
          onClick={props.onConfirm}
          loading={props.busy}
          data-autofocus={props.destructive ? undefined : true}
        >
          {props.confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
