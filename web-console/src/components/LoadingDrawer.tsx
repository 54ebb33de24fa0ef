import { Drawer, Skeleton, Stack } from '@mantine/core';
import { ErrorState } from './ErrorState';

interface LoadingDrawerProps {
  title: string;
  /** What to say when it cannot be loaded. */
  failure: string;
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}

/** A drawer whose thing is on its way, or could not be had. */
export function LoadingDrawer({ title, failure, error, onRetry, onClose }: LoadingDrawerProps) {
  return (
    <Drawer opened onClose={onClose} position="right" size={560} title={title}>
      {error ? (
        <ErrorState title={failure} error={error} onRetry={onRetry} />
      ) : (
        <Stack aria-busy="true">
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} height={36} />
          ))}
        </Stack>
      )}
    </Drawer>
  );
}
