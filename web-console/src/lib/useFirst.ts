import { useState } from 'react';

/** The first value that is settled, and that one for good: a form must not change under its user's hands. */
export function useFirst<T>(value: T | undefined, settled: boolean): T | undefined {
  const [first, setFirst] = useState<T | undefined>();
  if (first === undefined && settled && value !== undefined) setFirst(value);
  return first ?? (settled ? value : undefined);
}
