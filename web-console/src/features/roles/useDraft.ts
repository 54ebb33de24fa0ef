import { useCallback, useMemo, useState } from 'react';
import { changesOf, type Change, type Effects, type RoleEffect } from './matrix';

/** What somebody wants a role to say, before it is saved. */
export interface Draft {
  /** What the role would say. */
  effects: Effects;
  changes: Change[];
  set: (keys: string[], effect: RoleEffect) => void;
  /** Takes back the changes of these permissions, or of all. */
  discard: (keys?: string[]) => void;
}

/**
 * Changes on top of what the role says. Should that change underneath, because somebody else saved, what was changed here
 * stays as it is and the rest follows.
 */
export function useDraft(base: Effects): Draft {
  const [own, setOwn] = useState<Effects>({});
  const set = useCallback(
    (keys: string[], effect: RoleEffect) =>
      setOwn((present) => ({ ...present, ...Object.fromEntries(keys.map((key) => [key, effect])) })),
    [],
  );
  const discard = useCallback(
    (keys?: string[]) =>
      setOwn((present) =>
        keys ? Object.fromEntries(Object.entries(present).filter(([key]) => !keys.includes(key))) : {},
      ),
    [],
  );
  return useMemo(
    () => ({ effects: { ...base, ...own }, changes: changesOf(base, own), set, discard }),
    [base, own, set, discard],
  );
}
