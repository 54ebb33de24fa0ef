import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps, type Option } from '@/components/EntitySelect';
import type { EntityFilter } from '@/components/filters';
import { useAddress } from '@/lib/address';
import { callsOf, sortByName, useListQuery } from './calls';
import { useNames } from './names';
import type { Query, Row } from './fields';
import { labelIn, REGISTRY, type ResourceKey } from './registry';
import { useNouns } from './texts';

interface Choice {
  id: string;
  tenant_id?: string;
}

/** Which things there are to choose from. */
export interface Within {
  /** Those of one tenant; of all that the server shows unless told. */
  tenantId?: string;
  /** What else their list is asked for. */
  where?: Query;
  /** Never this one. */
  except?: string;
}

const WITH_DETAILS: ResourceKey[] = ['users', 'drivers'];

/** What a thing is called where it is chosen: people with what else is found of them, since names are not theirs alone. */
function labelOf(of: ResourceKey, thing: Choice): string {
  const more = WITH_DETAILS.includes(of) ? (REGISTRY[of].search ?? []) : [];
  const details = more.map((name) => (thing as unknown as Record<string, string>)[name]).filter(Boolean);
  const label = labelIn(of, thing);
  return details.length > 0 ? `${label} (${details.join(', ')})` : label;
}

/** Things whose name has this in it, or what failed. Where they are of several tenants, their tenant is said too. */
export function useEntityOptions(of: ResourceKey, q: string, { tenantId, where, except }: Within = {}) {
  const scoped = callsOf(of).query.includes('tenant_id');
  const params = {
    page: 1,
    page_size: SELECT_CHOICES,
    sort: sortByName(of),
    q,
    ...where,
    tenant_id: scoped && tenantId ? tenantId : undefined,
  };
  const { t } = useTranslation('resource');
  const nouns = useNouns();
  const { data, isFetching, isError } = useListQuery<Choice>(of, params);
  const things = (data?.items ?? []).filter(({ id }) => id !== except);
  const tenants = new Set(scoped ? things.flatMap(({ tenant_id }) => tenant_id ?? []) : []);
  const several = tenants.size > 1;
  const names = useNames('tenants', several ? [...tenants] : []);
  const options = things.map((thing): Option => {
    const label = labelOf(of, thing);
    return {
      value: thing.id,
      label: several && thing.tenant_id && of !== 'users' ? `${label} (${names[thing.tenant_id] ?? '…'})` : label,
    };
  });
  const failure = isError ? t('loadFailed', nouns(of)) : undefined;
  return { options, things, loading: isFetching, failure };
}

/** What a thing is called; undefined until that is known. */
export const useEntityName = (of: ResourceKey, id: string): string | undefined => useNames(of, [id])[id];

/** What a filter by things of a resource is made of. */
export const entityFilter = (
  of: ResourceKey,
  where?: Query,
): Pick<EntityFilter, 'kind' | 'useOptions' | 'useName'> => ({
  kind: 'entity',
  // Of the tenant that the list is narrowed to.
  useOptions: (q) => useEntityOptions(of, q, { tenantId: useAddress().search.get('tenant_id') ?? undefined, where }),
  useName: (id) => useEntityName(of, id),
});

interface ResourceSelectProps extends EntityFieldProps, Within {
  of: ResourceKey;
  /** Told what was chosen, with all that the server says of it. */
  onChoose?: (thing: Row) => void;
}

/** Chooses one thing: the server searches. */
export function ResourceSelect({ of, tenantId, where, except, onChoose, ...props }: ResourceSelectProps) {
  const [q, setQ] = useState('');
  const { options, things, loading, failure } = useEntityOptions(of, q, { tenantId, where, except });
  const found = options.find(({ value }) => value === props.value);
  const name = useNames(of, found ? [] : [props.value])[props.value];
  return (
    <EntitySelect
      {...props}
      options={options}
      current={found ?? (name === undefined ? undefined : { value: props.value, label: name })}
      loading={loading}
      failure={failure}
      onSearch={setQ}
      onChange={(value) => {
        props.onChange(value);
        const chosen = things.find(({ id }) => id === value);
        if (chosen) onChoose?.(chosen);
      }}
    />
  );
}
