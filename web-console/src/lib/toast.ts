import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import { keepToastUntilDone } from './toastClock';

const icon = (shape: typeof IconCheck) => createElement(shape, { size: 16, 'aria-hidden': true });

let shown = 0;

function show(message: ReactNode, color: string, shape: typeof IconCheck): string {
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
  return id;
}

/** Shows that something was done, in whatever form; by which id it can be hidden. */
export const showToast = (message: ReactNode): string => show(message, 'green.8', IconCheck);

/** Tells that something was done. */
export const toastSuccess = (message: string): void => void showToast(message);

/** Tells what looks wrong although it was done. */
export const toastWarning = (message: string): void => void show(message, 'yellow.8', IconAlertTriangle);

/** Tells what happened without anybody doing it here. */
export const toastInfo = (message: string): void => void show(message, 'brand.8', IconInfoCircle);

/** Tells what could not be done. */
export const toastError = (message: string): void => void show(message, 'red.8', IconX);
