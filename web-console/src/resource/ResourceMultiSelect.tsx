import { Loader, MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from './names';
import type { ResourceKey } from './registry';
import { useEntityOptions, type Within } from './ResourceSelect';

const TYPING_MS = 250;

interface ResourceMultiSelectProps
  extends Omit<MultiSelectProps, 'data' | 'filter' | 'onSearchChange' | 'searchable' | 'value' | 'onChange'>, Within {
  of: ResourceKey;
  /** Their ids. */
  value: string[];
  onChange: (ids: string[]) => void;
}

/** Chooses several things: the server searches. */
export function ResourceMultiSelect({ of, tenantId, where, except, ...props }: ResourceMultiSelectProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const search = useDebouncedCallback(setQ, TYPING_MS);
  const { options, loading, failure } = useEntityOptions(of, q, { tenantId, where, except });
  // What somebody has chosen here was on the screen with its name.
  const [picked, setPicked] = useState<Record<string, string>>({});
  const listed = new Map(options.map(({ value, label }) => [value, label]));
  const missing = props.value.filter((id) => !listed.has(id));
  const names = useNames(
    of,
    missing.filter((id) => !(id in picked)),
  );
  const chosen = missing.map((id) => ({ value: id, label: picked[id] ?? names[id] ?? '…' }));
  return (
    <MultiSelect
      hidePickedOptions
      nothingFoundMessage={t('table.nothingFound')}
      rightSection={loading ? <Loader size={16} /> : undefined}
      {...props}
      error={props.error ?? failure}
      data={[...chosen, ...options]}
      onChange={(ids) => {
        const seen = ids.map((id) => [id, listed.get(id) ?? picked[id] ?? ''] as const).filter(([, label]) => label);
        setPicked(Object.fromEntries(seen));
        props.onChange(ids);
      }}
      // The server has filtered already.
      filter={({ options: all }) => all}
      onSearchChange={(text) => search(text.trim())}
      searchable
    />
  );
}
