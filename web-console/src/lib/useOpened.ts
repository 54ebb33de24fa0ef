import { useMounted } from '@mantine/hooks';

/**
 * Whether a dialog that may be drawn for the first time when it is to be open is open: Mantine's dialogs remember who had the
 * keyboard when they open, and not when they begin open.
 */
export const useOpened = (opened: boolean): boolean => useMounted() && opened;
