import { useState } from 'react';
import { useGetRoleQuery, useListRolesQuery } from '@/api/api';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps } from '@/components/EntitySelect';

/** Chooses a role, of one tenant when it is named. */
export function RoleSelect({ tenantId, ...props }: EntityFieldProps & { tenantId: string }) {
  const [q, setQ] = useState('');
  const filter = { page: 1, pageSize: SELECT_CHOICES, sort: 'name', q, tenantId: tenantId || undefined };
  const { data, isFetching } = useListRolesQuery(filter);
  const { currentData: current } = useGetRoleQuery({ id: props.value }, { skip: !props.value });
  const option = (role: { id: string; name: string }) => ({ value: role.id, label: role.name });
  return (
    <EntitySelect
      {...props}
      options={(data?.items ?? []).map(option)}
      current={current && option(current)}
      loading={isFetching}
      onSearch={setQ}
    />
  );
}
