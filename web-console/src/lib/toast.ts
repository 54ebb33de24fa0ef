import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { createElement } from 'react';

/** Toasts vanish after this long, except those of errors. */
export const TOAST_MS = 8_000;

const icon = (shape: typeof IconCheck) => createElement(shape, { size: 16, 'aria-hidden': true });

/** Tells that something was done. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'green.8', icon: icon(IconCheck) });
}

/** Tells what looks wrong although it was done. */
export function toastWarning(message: string): void {
  notifications.show({ message, color: 'yellow.8', icon: icon(IconAlertTriangle) });
}

/** Tells what could not be done. It has to be done again, so this stays until it is dismissed. */
export function toastError(message: string): void {
  notifications.show({ message, color: 'red.8', icon: icon(IconX), autoClose: false });
}
