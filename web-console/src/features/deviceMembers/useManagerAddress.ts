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

/** The same as the address has it, so that a link shows it to others. */
export function useManagerAddress(): [ManagerChoice, (part: Partial<ManagerChoice>) => void] {
  const { search, change } = useAddress();
  const choice = useMemo(
    (): ManagerChoice => ({
      from: search.getAll('from').filter(Boolean),
      to: search.get('to') ?? '',
      role: roleIn(search.get('role')),
      until: search.get('until') ?? '',
    }),
    [search],
  );
  const put = (part: Partial<ManagerChoice>) =>
    change((next) => {
      const { from, ...others } = { ...choice, ...part };
      next.delete('from');
      for (const id of from) next.append('from', id);
      for (const [name, value] of Object.entries(others)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
    });
  return [choice, put];
}
