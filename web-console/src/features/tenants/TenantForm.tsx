import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateTenantMutation, useUpdateTenantMutation } from '@/api/api';
import type { Tenant } from '@/api/types';
import { DrawerForm } from '@/components/form/DrawerForm';
import { SelectField } from '@/components/form/SelectField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { tenantSchema, tenantValues, timeZones } from './tenantForm';

/** Creates a tenant, or edits the one given. */
export function TenantForm({ tenant, onClose }: { tenant: Tenant | undefined; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const [create] = useCreateTenantMutation();
  const [update] = useUpdateTenantMutation();
  const zones = useMemo(() => timeZones(tenant?.time_zone ?? ''), [tenant]);
  const form = useEntityForm({
    schema: tenantSchema,
    values: tenantValues(tenant),
    namespace: 'tenants',
    failure: t('saveFailed'),
    send: (tenantInput) =>
      tenant
        ? update({ id: tenant.id, 'If-Match': String(tenant.row_version), tenantInput })
        : create({ tenantInput }),
    onSaved: () => {
      toastSuccess(tenant ? t('updated') : t('created'));
      onClose();
    },
  });
  return (
    <DrawerForm form={form} submitLabel={tenant ? t('save') : t('create')} onClose={onClose}>
      <TextField form={form} name="name" label={t('field.name')} required first />
      <TextAreaField form={form} name="description" label={t('field.description')} />
      <SelectField
        form={form}
        name="time_zone"
        label={t('field.timeZone')}
        description={t('help.timeZone')}
        searchable
        limit={50}
        data={zones}
      />
      <SwitchField form={form} name="active" label={t('field.active')} description={t('help.active')} />
    </DrawerForm>
  );
}
