import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetRoleQuery, useListRolesQuery, useRoleTemplatesQuery } from '@/api/api';
import { EntitySelect, SELECT_CHOICES, type EntityFieldProps } from '@/components/EntitySelect';
import { sideOfTemplate, templateOf } from './useSide';
import { useTemplateTexts } from './useTemplateTexts';

/** Chooses what to compare: a role, of one tenant when it is named, or a template. */
export function SideSelect({ tenantId, ...props }: EntityFieldProps & { tenantId: string }) {
  const { t } = useTranslation('roles');
  const texts = useTemplateTexts();
  const [q, setQ] = useState('');
  const filter = { page: 1, pageSize: SELECT_CHOICES, sort: 'name', q, tenantId: tenantId || undefined };
  const { data: roles, isFetching } = useListRolesQuery(filter);
  const { data: templates } = useRoleTemplatesQuery();
  const isRole = props.value !== '' && templateOf(props.value) === null;
  const { currentData: role } = useGetRoleQuery({ id: props.value }, { skip: !isRole });
  const roleOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name, group: t('compare.roles') });
  const ofTemplates = (templates?.items ?? []).map(({ key }) => ({
    value: sideOfTemplate(key),
    label: t('compare.template', { name: texts.name(key) }),
    group: t('compare.templates'),
  }));
  const wanted = q.toLocaleLowerCase();
  return (
    <EntitySelect
      {...props}
      options={[
        ...(roles?.items ?? []).map(roleOption),
        ...ofTemplates.filter(({ label }) => label.toLocaleLowerCase().includes(wanted)),
      ]}
      current={isRole ? role && roleOption(role) : ofTemplates.find(({ value }) => value === props.value)}
      loading={isFetching}
      onSearch={setQ}
    />
  );
}
