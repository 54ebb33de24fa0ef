import { useState } from 'react';
import { useGetTenantQuery, useListTenantsQuery } from '@/api/api';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps } from './EntitySelect';

/** Chooses a tenant; for platform owners. */
export function TenantSelect(props: EntityFieldProps) {
  const [q, setQ] = useState('');
  const { data, isFetching, isError } = useListTenantsQuery({ page: 1, pageSize: SELECT_CHOICES, sort: 'name', q });
  const { currentData: current } = useGetTenantQuery({ id: props.value }, { skip: !props.value });
  const option = (tenant: { id?: string; name?: string }) => ({ value: tenant.id ?? '', label: tenant.name ?? '' });
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
