import type { MasterDataEntry } from '@/api/generated';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';

/** Whether an entry is one that this person may change at all: those of the platform are its owners' alone. */
export const mayChange = ({ tenant_id }: MasterDataEntry, person: Person | null): boolean =>
  tenant_id !== undefined || can('platform_owner', person);
