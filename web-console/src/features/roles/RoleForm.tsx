import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useGetRoleQuery, useRoleTemplatesQuery } from '@/api/calls/roles';
import type { Role } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import type { FormProps } from '@/resource/defineResource';
import { ResourceForm } from '@/resource/ResourceForm';
import { useTemplateTexts } from './useTemplateTexts';

/** The form of a role. A new one may begin as a copy, which the address names. */
export function RoleForm({ resource, row, onClose }: FormProps<Role>) {
  const copyOf = useAddress().search.get('copy');
  const { currentData: copied, isError } = useGetRoleQuery(
    { id: copyOf ?? '' },
    { skip: row !== undefined || !copyOf },
  );
  // What cannot be copied leaves an empty beginning.
  if (!row && copyOf && !copied && !isError) return null;
  const { description, tenant_id } = copied ?? {};
  const initial = copied && { description, tenant_id, beginning: 'copy', copy_of: copyOf };
  return <ResourceForm resource={resource} row={row} initial={initial} onClose={onClose} />;
}

/** The templates that a new role may begin with. */
export function useTemplateChoices() {
  const texts = useTemplateTexts();
  const { data } = useRoleTemplatesQuery();
  return (data?.items ?? []).map(({ key }) => ({ value: key, label: texts.name(key) }));
}

/** For whom a template is, and how much it allows. */
export function AboutTemplate({ value }: { value: string }) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const texts = useTemplateTexts();
  const chosen = useRoleTemplatesQuery().data?.items.find(({ key }) => key === value);
  const count = chosen?.items.filter(({ effect }) => effect === 'allow').length ?? 0;
  return (
    chosen && (
      <Text size="xs" c="dimmed">
        {`${texts.text(chosen.key)} ${t('allows', { count, formatted: formats.number(count) })}`.trim()}
      </Text>
    )
  );
}
