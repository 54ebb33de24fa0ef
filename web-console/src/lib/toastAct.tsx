import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { showToast } from './toast';

/** Tells that something was done, and offers what takes it back or leads on: one press, and the toast goes. */
export function toastWithAct(message: string, label: string, act: () => void): void {
  const id = showToast(
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <span>{message}</span>
      <Button
        variant="default"
        size="compact-sm"
        flex="none"
        onClick={() => {
          notifications.hide(id);
          act();
        }}
      >
        {label}
      </Button>
    </Group>,
  );
}
