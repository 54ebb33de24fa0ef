import { Skeleton } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';

interface PartProps {
  /** Pixels that it takes while it is not there; 0 for a part that nobody misses until then. */
  height?: number;
  children: ReactNode;
}

/** A part of a screen that has texts or code of its own: it waits for them by itself, and the screen around it stays. */
export const Part = ({ height = 40, children }: PartProps) => (
  <Suspense fallback={height > 0 ? <Skeleton height={height} /> : null}>{children}</Suspense>
);
