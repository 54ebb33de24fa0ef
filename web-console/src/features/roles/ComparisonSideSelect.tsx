import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleTemplatesQuery } from '@/api/calls/roles';
import { EntitySelect, type EntityFieldProps } from '@/components/EntitySelect';
import { useEntityName, useEntityOptions } from '@/resource/ResourceSelect';
import { sideOfTemplate, templateOf } from './useComparisonSide';
import { useTemplateTexts } from './useTemplateTexts';

/** Chooses what to compare: a role, of one tenant when it is named, or a template. */
export function ComparisonSideSelect({ tenantId, ...props }: EntityFieldProps & { tenantId: string }) {
  const { t } = useTranslation('roles');
  const texts = useTemplateTexts();
  const [q, setQ] = useState('');
  const roles = useEntityOptions('roles', q, { tenantId });
  const name = useEntityName('roles', templateOf(props.value) === null ? props.value : '');
  const { data } = useRoleTemplatesQuery();
  const group = t('compare.roles');
  const templates = (data?.items ?? []).map(({ key }) => ({
    value: sideOfTemplate(key),
    label: t('compare.template', { name: texts.name(key) }),
    group: t('compare.templates'),
  }));
  const wanted = q.toLocaleLowerCase();
  return (
    <EntitySelect
      {...props}
      options={[
        ...roles.options.map((role) => ({ ...role, group })),
        ...templates.filter(({ label }) => label.toLocaleLowerCase().includes(wanted)),
      ]}
      current={
        name !== undefined
          ? { value: props.value, label: name, group }
          : templates.find(({ value }) => value === props.value)
      }
      loading={roles.loading}
      failure={roles.failure}
      onSearch={setQ}
    />
  );
}
