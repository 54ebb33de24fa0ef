import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { api, useCreateTenantMutation, useUpdateTenantMutation } from '@/api/api';
import type { Dispatch } from '@/api/direct';
import type { Tenant } from '@/api/types';
import { DrawerForm } from '@/components/form/DrawerForm';
import { FormSection } from '@/components/form/FormSection';
import { NumberField } from '@/components/form/NumberField';
import { SelectField } from '@/components/form/SelectField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { minorDigits } from '@/lib/money';
import { toastError, toastSuccess } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { DeleteTenant } from './DeleteTenant';
import { currencies, tenantInput, tenantSchema, tenantValues, timeZones, type TenantValues } from './tenantForm';
import { BILLING_PERIODS, COST_MODELS, SUBSCRIPTION_STATUSES } from './tenantList';

/** Creates a tenant, or edits the one given. */
export function TenantForm({ tenant, onClose }: { tenant: Tenant | undefined; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const { send, newest, base } = useTenantCalls(tenant);
  const form = useEntityForm<Tenant, TenantValues>({
    schema: tenantSchema,
    values: tenantValues(tenant),
    namespace: 'tenants',
    failure: t('saveFailed'),
    // Nobody shuts out a whole company in passing.
    question: ({ active }) =>
      base?.active && !active
        ? { title: t('confirmDeactivate.title', { name: base.name }), text: t('confirmDeactivate.text') }
        : undefined,
    newest,
    send,
    onSaved: () => {
      toastSuccess(tenant ? t('updated') : t('created'));
      onClose();
    },
  });
  return (
    <DrawerForm
      form={form}
      submitLabel={tenant ? t('save') : t('create')}
      actions={base && <DeleteTenant tenant={base} onDeleted={onClose} />}
      onClose={onClose}
    >
      <GeneralFields form={form} zone={tenant?.time_zone ?? ''} />
      <LimitFields form={form} tenant={base} />
      <CostFields form={form} present={tenant?.currency ?? ''} />
      <BillingFields form={form} />
    </DrawerForm>
  );
}

/** The calls of the form. `base` is the version that a change is based on. */
function useTenantCalls(tenant: Tenant | undefined) {
  const { t } = useTranslation('tenants');
  const dispatch = useDispatch<Dispatch>();
  const [base, setBase] = useState(tenant);
  const [create] = useCreateTenantMutation();
  const [update] = useUpdateTenantMutation();
  const send = (values: TenantValues) => {
    const input = tenantInput(values, base);
    const answer = base
      ? update({ id: base.id, 'If-Match': String(base.row_version), tenantInput: input })
      : create({ tenantInput: input });
    return answer as Promise<MutationResult<Tenant>>;
  };
  const newest = async () => {
    if (!base) return undefined;
    const query = api.endpoints.getTenant.initiate({ id: base.id }, { forceRefetch: true, subscribe: false });
    const { data } = await dispatch(query);
    if (!data) {
      toastError(t('openFailed'));
      return undefined;
    }
    setBase(data);
    return tenantValues(data);
  };
  return { send, newest, base };
}

interface FieldsProps {
  form: EntityForm<TenantValues>;
}

function GeneralFields({ form, zone }: FieldsProps & { zone: string }) {
  const { t } = useTranslation('tenants');
  const zones = useMemo(() => timeZones(zone), [zone]);
  return (
    <FormSection title={t('section.general')}>
      <TextField form={form} name="name" label={t('field.name')} required first />
      <TextAreaField form={form} name="description" label={t('field.description')} />
      <TextField
        form={form}
        name="tax_number"
        label={t('field.taxNumber')}
        description={t('help.taxNumber')}
        inputMode="numeric"
      />
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
      <SwitchField form={form} name="confirmed" label={t('field.confirmed')} description={t('help.confirmed')} />
    </FormSection>
  );
}

/** What is used is counted by the server; it is shown beside its limit. */
function LimitFields({ form, tenant }: FieldsProps & { tenant: Tenant | undefined }) {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  const help = (used: number | undefined) =>
    used === undefined ? t('help.limit') : t('help.limitUsed', { used: formats.number(used) });
  return (
    <FormSection title={t('section.limits')}>
      <NumberField
        form={form}
        name="device_limit"
        label={t('field.deviceLimit')}
        description={help(tenant?.used_devices)}
        min={0}
      />
      <NumberField
        form={form}
        name="user_limit"
        label={t('field.userLimit')}
        description={help(tenant?.used_users)}
        min={0}
      />
    </FormSection>
  );
}

function CostFields({ form, present }: FieldsProps & { present: string }) {
  const { t, i18n } = useTranslation('tenants');
  const currency = useWatch({ control: form.control, name: 'currency' });
  const choices = useMemo(() => currencies(present, i18n.language), [present, i18n.language]);
  const decimals = minorDigits(currency);
  return (
    <FormSection title={t('section.cost')}>
      <SelectField
        form={form}
        name="subscription_status"
        label={t('field.subscription')}
        data={SUBSCRIPTION_STATUSES.map((value) => ({ value, label: t(`subscription.${value}`) }))}
      />
      <SelectField
        form={form}
        name="cost_model"
        label={t('field.costModel')}
        data={COST_MODELS.map((value) => ({ value, label: t(`costModel.${value}`) }))}
      />
      <SelectField form={form} name="currency" label={t('field.currency')} searchable limit={50} data={choices} />
      <NumberField
        form={form}
        name="cost_per_device"
        label={t('field.costPerDevice')}
        description={t('help.costPerDevice')}
        min={0}
        decimals={decimals}
        suffix={currency}
      />
      <NumberField
        form={form}
        name="cost_bundle"
        label={t('field.costBundle')}
        description={t('help.costBundle')}
        min={0}
        decimals={decimals}
        suffix={currency}
      />
    </FormSection>
  );
}

function BillingFields({ form }: FieldsProps) {
  const { t } = useTranslation('tenants');
  return (
    <FormSection title={t('section.billing')}>
      <SelectField
        form={form}
        name="billing_period"
        label={t('field.billingPeriod')}
        data={BILLING_PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
      />
      <NumberField
        form={form}
        name="billing_day"
        label={t('field.billingDay')}
        description={t('help.billingDay')}
        min={1}
        max={28}
      />
      <NumberField
        form={form}
        name="due_day"
        label={t('field.dueDay')}
        description={t('help.dueDay')}
        min={0}
        max={90}
        suffix={t('unit.days')}
      />
    </FormSection>
  );
}
