import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorState } from './ErrorState';

interface LoadingDrawerProps {
  title: string;
  /** What to say when it cannot be loaded. */
  failure: string;
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}

/** What comes sooner needs no skeleton: it would only flicker. */
const PATIENCE_MS = 250;

/** A drawer whose thing is on its way, or could not be had. */
export function LoadingDrawer({ title, failure, error, onRetry, onClose }: LoadingDrawerProps) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late && !error) return null;
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
