import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { createElement } from 'react';
import { keepToastUntilDone } from './toastClock';

const icon = (shape: typeof IconCheck) => createElement(shape, { size: 16, 'aria-hidden': true });

let shown = 0;

function show(message: string, color: string, shape: typeof IconCheck): void {
  const id = `toast-${++shown}`;
  notifications.show({
    id,
    message,
    color,
    icon: icon(shape),
    // Mantine's own clock stands still under a pointer that only rests where the toast appears.
    autoClose: false,
    // Of those that wait for a free place, the time begins when they get it.
    onOpen: () => keepToastUntilDone(id, () => notifications.hide(id)),
  });
}

/** Tells that something was done. */
export const toastSuccess = (message: string): void => show(message, 'green.8', IconCheck);

/** Tells what looks wrong although it was done. */
export const toastWarning = (message: string): void => show(message, 'yellow.8', IconAlertTriangle);

/** Tells what happened without anybody doing it here. */
export const toastInfo = (message: string): void => show(message, 'brand.8', IconInfoCircle);

/** Tells what could not be done. */
export const toastError = (message: string): void => show(message, 'red.8', IconX);
