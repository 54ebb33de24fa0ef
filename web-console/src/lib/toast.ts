import { notifications } from '@mantine/notifications';

/** Tells that something was done. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'green.8' });
}

/** Tells what looks wrong although it was done. */
export function toastWarning(message: string): void {
  notifications.show({ message, color: 'yellow.8' });
}

/** Tells what could not be done. */
export function toastError(message: string): void {
  notifications.show({ message, color: 'red.8' });
}
