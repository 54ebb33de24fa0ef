import { MultiSelect } from '@mantine/core';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListRolesQuery } from '@/api/calls/roles';
import type { User } from '@/api/types';
import { useField, type FieldProps } from '@/components/form/field';
import { errorText } from '@/i18n/errorText';
import type { Values } from '@/resource/defineResource';
import { useFormContext } from '@/resource/formContext';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

/** A tenant has a handful of roles; no page of a list is larger. */
const ALL = 500;

/** The roles of a user, one or more of their tenant. */
export function RolesField(props: FieldProps<Values>) {
  const { form } = props;
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const user = useFormContext().row as User | undefined;
  const ofOwner = can('platform_owner', useSelector(selectPerson));
  const [tenant, isAdmin] = useWatch({ control: form.control, name: ['tenant_id', 'is_tenant_admin'] }) as unknown[];
  // Whose roles there are to choose from: a platform owner has to say it first.
  const tenantId = ofOwner ? String(tenant ?? '') : undefined;
  const waits = tenantId === '';
  const required = !user || !isAdmin;
  const { currentData, error } = useListRolesQuery({ page: 1, pageSize: ALL, sort: 'name', tenantId }, { skip: waits });
  const description = waits ? t('help.rolesWait') : required ? t('help.roles') : t('help.rolesOfAdmin');
  const field = useField({ ...props, description, required });
  const names = new Map([...(user?.roles ?? []), ...(currentData?.items ?? [])].map(({ id, name }) => [id, name]));
  return (
    <Controller
      control={form.control}
      name={props.name}
      render={({ field: input }) => (
        <MultiSelect
          {...field}
          {...input}
          value={input.value as string[]}
          error={field.error ?? (error !== undefined && `${t('rolesLoadFailed')} ${errorText(error, common)}`)}
          data={[...names].map(([value, label]) => ({ value, label }))}
          disabled={waits}
          searchable
          clearable={!field.readOnly}
          hidePickedOptions
          nothingFoundMessage={common('table.nothingFound')}
        />
      )}
    />
  );
}
