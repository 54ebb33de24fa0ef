import { useMemo } from 'react';
import { useAddress } from '@/lib/address';
import { roleIn, type MemberRole } from './memberRoles';

/** Between whom links are managed, and as what new ones are made. */
export interface ManagerChoice {
  /** Whose devices there are to link; none for those of nobody. */
  from: string[];
  /** Who is linked to them; empty for nobody yet. */
  to: string;
  role: MemberRole;
  /** The last day of new links; empty for none. */
  until: string;
}

const choiceIn = (search: URLSearchParams): ManagerChoice => ({
  from: search.getAll('from').filter(Boolean),
  to: search.get('to') ?? '',
  role: roleIn(search.get('role')),
  until: search.get('until') ?? '',
});

function write(search: URLSearchParams, { from, ...others }: ManagerChoice): void {
  search.delete('from');
  // Nobody's devices are linked to themselves.
  for (const id of from) if (id !== others.to) search.append('from', id);
  for (const [name, value] of Object.entries(others)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
}

/** The same as the address has it, so that a link shows it to others; what a change does not name stays. */
export function useManagerAddress(): [ManagerChoice, (part: Partial<ManagerChoice>) => void] {
  const { search, change } = useAddress();
  const choice = useMemo(() => choiceIn(search), [search]);
  // Not from `choice`: what was chosen a moment ago may not be on the screen yet.
  const put = (part: Partial<ManagerChoice>) => change((next) => write(next, { ...choiceIn(next), ...part }));
  return [choice, put];
}
