import { useDocumentVisibility } from '@mantine/hooks';

/** How often a query asks again, in milliseconds: every so many seconds while somebody can see it, else not at all (0). */
export function usePolling(seconds = 0): number {
  return useDocumentVisibility() === 'hidden' ? 0 : seconds * 1_000;
}
