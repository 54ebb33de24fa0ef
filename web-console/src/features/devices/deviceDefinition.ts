import { useMemo } from 'react';
import type { ListDefinition } from '@/lib/listParams';
import { useDeviceColumns } from './deviceColumns';
import { useDeviceFilters } from './deviceFilters';

/** The list of devices: its columns, its filters, and what its address may say. */
export function useDeviceDefinition() {
  const columns = useDeviceColumns();
  const filters = useDeviceFilters();
  const list = useMemo(
    (): ListDefinition => ({ table: 'devices', sort: 'name', columns, filters }),
    [columns, filters],
  );
  return { list, columns, filters };
}
