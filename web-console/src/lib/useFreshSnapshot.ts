import { useState } from 'react';

interface Loaded<T> {
  currentData?: T;
  isFetching: boolean;
  /** When it arrived, in milliseconds since 1970. */
  fulfilledTimeStamp?: number;
}

/**
 * The first version of a thing that arrived after the form was opened, and that one for good: a form must be based on the
 * newest version, and must not change under its user's hands. What was loaded for another screen before may be old.
 */
export function useFreshSnapshot<T>({ currentData, isFetching, fulfilledTimeStamp = 0 }: Loaded<T>): T | undefined {
  const [openedAt] = useState(() => Date.now());
  const [first, setFirst] = useState<T | undefined>();
  const fresh = !isFetching && fulfilledTimeStamp >= openedAt ? currentData : undefined;
  if (first === undefined && fresh !== undefined) setFirst(fresh);
  return first ?? fresh;
}
