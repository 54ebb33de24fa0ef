import { useState } from 'react';
import { useGetRoleQuery, useListRolesQuery } from '@/api/api';
import { SELECT_CHOICES } from '@/components/EntitySelect';

const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

/** The roles that a select offers, of one tenant when it is named: those that fit what is typed, and the chosen one. */
export function useRoleOptions(tenantId: string, chosen: string) {
  const [q, onSearch] = useState('');
  const filter = { page: 1, pageSize: SELECT_CHOICES, sort: 'name', q, tenantId: tenantId || undefined };
  const { data, isFetching: loading } = useListRolesQuery(filter);
  const { currentData: current } = useGetRoleQuery({ id: chosen }, { skip: !chosen });
  return { q, onSearch, loading, options: (data?.items ?? []).map(option), current: current && option(current) };
}
