import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCreateTenantMutation, useUpdateTenantMutation } from '@/api/api';
import type { Tenant } from '@/api/types';
import { FormDrawer } from '@/components/FormDrawer';
import { toastSuccess } from '@/lib/toast';
import { useSave } from '@/lib/useSave';
import { TENANT_FIELDS, tenantSchema, tenantValues, timeZones, type TenantValues } from './tenantForm';

/** Creates a tenant, or edits the one given. */
export function TenantForm({ tenant, onClose }: { tenant: Tenant | undefined; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const [create] = useCreateTenantMutation();
  const [update] = useUpdateTenantMutation();
  const form = useForm<TenantValues>({ resolver: zodResolver(tenantSchema), defaultValues: tenantValues(tenant) });
  const { errors, isDirty } = form.formState;
  const zones = useMemo(() => timeZones(tenant?.time_zone ?? ''), [tenant]);
  const message = (field: keyof TenantValues) => {
    const error = errors[field];
    if (!error?.message) return undefined;
    return error.type === 'server' ? error.message : t(error.message as 'validation.name');
  };

  const { save, busy, problem } = useSave<Tenant, TenantValues>({
    fields: TENANT_FIELDS,
    setError: form.setError,
    failure: t('saveFailed'),
    onSaved: () => {
      toastSuccess(tenant ? t('updated') : t('created'));
      onClose();
    },
  });

  const submit = form.handleSubmit((tenantInput) =>
    save(async () => {
      const answer = tenant
        ? await update({ id: tenant.id, 'If-Match': String(tenant.row_version), tenantInput })
        : await create({ tenantInput });
      return answer as { data: Tenant } | { error: unknown };
    }),
  );

  return (
    <FormDrawer
      title={tenant ? t('editTitle', { name: tenant.name }) : t('createTitle')}
      submitLabel={tenant ? t('save') : t('create')}
      busy={busy}
      dirty={isDirty}
      problem={problem}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextInput label={t('field.name')} required error={message('name')} {...form.register('name')} data-autofocus />
      <Textarea
        label={t('field.description')}
        autosize
        minRows={2}
        error={message('description')}
        {...form.register('description')}
      />
      <Controller
        control={form.control}
        name="time_zone"
        render={({ field }) => (
          <Select
            label={t('field.timeZone')}
            description={t('help.timeZone')}
            searchable
            allowDeselect={false}
            limit={50}
            data={zones}
            error={message('time_zone')}
            {...field}
          />
        )}
      />
      <Switch label={t('field.active')} description={t('help.active')} {...form.register('active')} />
    </FormDrawer>
  );
}
