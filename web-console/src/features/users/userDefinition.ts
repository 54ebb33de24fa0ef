import { useMemo } from 'react';
import type { ListDefinition } from '@/lib/listParams';
import { useUserColumns } from './userColumns';
import { useUserFilters } from './userFilters';

/** The list of users: its columns, its filters, and what its address may say. */
export function useUserDefinition() {
  const columns = useUserColumns();
  const filters = useUserFilters();
  const list = useMemo((): ListDefinition => ({ table: 'users', sort: 'name', columns, filters }), [columns, filters]);
  return { list, columns, filters };
}
