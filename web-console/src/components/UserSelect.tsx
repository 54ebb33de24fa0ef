import { useState } from 'react';
import { useGetUserQuery, useListUsersQuery } from '@/api/api';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps } from './EntitySelect';

/** Chooses a user, of one tenant when it is named. */
export function UserSelect({ tenantId, ...props }: EntityFieldProps & { tenantId: string }) {
  const [q, setQ] = useState('');
  const filter = { page: 1, pageSize: SELECT_CHOICES, sort: 'name', q, tenantId: tenantId || undefined };
  const { data, isFetching, isError } = useListUsersQuery(filter);
  const { currentData: current } = useGetUserQuery({ id: props.value }, { skip: !props.value });
  const option = (user: { id?: string; name?: string; email?: string }) => ({
    value: user.id ?? '',
    label: `${user.name} (${user.email})`,
  });
  return (
    <EntitySelect
      {...props}
      options={(data?.items ?? []).map(option)}
      current={current && option(current)}
      loading={isFetching}
      failed={isError}
      onSearch={setQ}
    />
  );
}
