import { useState } from 'react';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps, type Option } from '@/components/EntitySelect';
import type { EntityFilter } from '@/components/filters';
import { useAddress } from '@/lib/address';
import { callsOf, useListQuery } from './calls';
import { useNames } from './names';
import { REGISTRY, type ResourceKey } from './registry';

interface Choice {
  id: string;
  name: string;
  tenant_id?: string;
}

/** Whose things there are to choose from: of one tenant, or of all that the server shows. */
export interface Within {
  tenantId?: string;
}

const PEOPLE: ResourceKey[] = ['users', 'drivers'];

/** What a thing is called where it is chosen: people with what else is found of them, since names are not theirs alone. */
function labelOf(of: ResourceKey, thing: Choice): string {
  const more = PEOPLE.includes(of) ? (REGISTRY[of].search ?? []) : [];
  const said = more.map((name) => (thing as unknown as Record<string, string>)[name]).filter(Boolean);
  return said.length > 0 ? `${thing.name} (${said.join(', ')})` : thing.name;
}

/** Things whose name has this in it. Where they are of several tenants, their tenant is said too. */
export function useEntityOptions(of: ResourceKey, q: string, { tenantId }: Within = {}) {
  const scoped = callsOf(of).query.includes('tenant_id');
  const params = {
    page: 1,
    page_size: SELECT_CHOICES,
    sort: 'name',
    q,
    tenant_id: scoped && tenantId ? tenantId : undefined,
  };
  const { data, isFetching, isError } = useListQuery<Choice>(of, params);
  const things = data?.items ?? [];
  const tenants = new Set(scoped ? things.map(({ tenant_id }) => tenant_id) : []);
  const several = tenants.size > 1;
  const names = useNames('tenants', several ? [...tenants] : []);
  const options = things.map((thing): Option => {
    const label = labelOf(of, thing);
    return {
      value: thing.id,
      label: several && of !== 'users' ? `${label} (${names[thing.tenant_id ?? ''] ?? '…'})` : label,
    };
  });
  return { options, loading: isFetching, failed: isError };
}

/** What a thing is called; undefined until that is known. */
export const useEntityName = (of: ResourceKey, id: string): string | undefined => useNames(of, [id])[id];

/** What a filter by things of a resource is made of. */
export const entityFilter = (of: ResourceKey): Pick<EntityFilter, 'kind' | 'useOptions' | 'useName'> => ({
  kind: 'entity',
  // Of the tenant that the list is narrowed to.
  useOptions: (q) => useEntityOptions(of, q, { tenantId: useAddress().search.get('tenant_id') ?? undefined }),
  useName: (id) => useEntityName(of, id),
});

/** Chooses one thing: the server searches. */
export function ResourceSelect({ of, tenantId, ...props }: EntityFieldProps & Within & { of: ResourceKey }) {
  const [q, setQ] = useState('');
  const { options, loading, failed } = useEntityOptions(of, q, { tenantId });
  const found = options.find(({ value }) => value === props.value);
  const name = useNames(of, found ? [] : [props.value])[props.value];
  return (
    <EntitySelect
      {...props}
      options={options}
      current={found ?? (name === undefined ? undefined : { value: props.value, label: name })}
      loading={loading}
      failed={failed}
      onSearch={setQ}
    />
  );
}
