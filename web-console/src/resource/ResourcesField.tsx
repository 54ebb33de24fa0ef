import { Loader, MultiSelect } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useField, type FieldProps } from '@/components/form/field';
import type { Values } from './defineResource';
import { useNames } from './names';
import type { ResourceKey } from './registry';
import { useEntityOptions, type Within } from './ResourceSelect';

const TYPING_MS = 250;

const idsIn = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);

interface ResourcesFieldProps extends FieldProps<Values>, Within {
  of: ResourceKey;
}

/** Several other things by their ids, which are one text with commas between: the server searches. */
export function ResourcesField({ of, tenantId, where, ...props }: ResourcesFieldProps) {
  const { t } = useTranslation();
  const { control } = props.form;
  const [q, setQ] = useState('');
  const search = useDebouncedCallback(setQ, TYPING_MS);
  const { options, loading, failed } = useEntityOptions(of, q, { tenantId, where });
  const chosen = idsIn(useWatch({ control, name: props.name }));
  const names = useNames(of, chosen);
  const labels = new Map(options.map(({ value, label }) => [value, label]));
  const nameOf = (id: string) => names[id] ?? labels.get(id) ?? '…';
  const field = useField(props, (value) => idsIn(value).map(nameOf).join(', '));
  const missing = chosen.filter((id) => !labels.has(id)).map((id) => ({ value: id, label: nameOf(id) }));
  return (
    <Controller
      control={control}
      name={props.name}
      render={({ field: input }) => (
        <MultiSelect
          {...field}
          {...input}
          value={idsIn(input.value)}
          onChange={(ids) => input.onChange(ids.join(','))}
          error={field.error ?? (failed && t('filter.failed'))}
          data={[...missing, ...options]}
          // The server has filtered already.
          filter={({ options: all }) => all}
          onSearchChange={(text) => search(text.trim())}
          searchable
          clearable={!field.readOnly}
          hidePickedOptions
          nothingFoundMessage={t('table.nothingFound')}
          rightSection={loading ? <Loader size={16} /> : undefined}
        />
      )}
    />
  );
}
