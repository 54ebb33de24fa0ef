import { MultiSelect } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useListRolesQuery } from '@/api/api';
import type { RoleName } from '@/api/generated';
import { useField } from '@/components/form/field';
import { errorText } from '@/i18n/errorText';
import type { EntityForm } from '@/lib/useEntityForm';
import type { UserValues } from './userForm';

/** A tenant has a handful of roles; no page of a list is larger. */
const ALL = 500;

interface RolesFieldProps {
  form: EntityForm<UserValues>;
  /** Whose roles there are to choose from: null for one's own tenant, empty while none has been chosen. */
  tenantId: string | null;
  /** Those that the user has, by their names. */
  present: RoleName[];
  /** At least one has to be chosen. */
  required: boolean;
}

/** The roles of a user, one or more of their tenant. */
export function RolesField({ form, tenantId, present, required }: RolesFieldProps) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const waits = tenantId === '';
  const { currentData, error } = useListRolesQuery(
    { page: 1, pageSize: ALL, sort: 'name', tenantId: tenantId ?? undefined },
    { skip: waits },
  );
  const description = waits ? t('help.rolesWait') : required ? t('help.roles') : t('help.rolesOfAdmin');
  const field = useField({ form, name: 'role_ids', label: t('field.roles'), description, required });
  const names = new Map([...present, ...(currentData?.items ?? [])].map(({ id, name }) => [id, name]));
  return (
    <Controller
      control={form.control}
      name="role_ids"
      render={({ field: input }) => (
        <MultiSelect
          {...field}
          {...input}
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
