import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { api, useCreateDeviceMutation, useUpdateDeviceMutation } from '@/api/api';
import type { Dispatch } from '@/api/direct';
import type { Device } from '@/api/types';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { FormTabs } from '@/components/form/FormTabs';
import { NumberField } from '@/components/form/NumberField';
import { SelectField } from '@/components/form/SelectField';
import { TextField } from '@/components/form/TextField';
import { TenantSelect } from '@/components/TenantSelect';
import { UserSelect } from '@/components/UserSelect';
import type { MutationResult } from '@/lib/mutationResult';
import { useTabParam } from '@/lib/drawerParam';
import { hasWrongCheckDigit } from '@/lib/imei';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DeleteDevice } from './DeleteDevice';
import { deviceInput, deviceSchema, deviceValues, type DeviceValues } from './deviceForm';
import { ICON_TYPES } from './deviceList';
import { ImeiNotice } from './ImeiNotice';

/** Creates a device, or edits the one given. */
export function DeviceForm({ device, onClose }: { device: Device | undefined; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const person = useSelector(selectPerson);
  // A platform owner belongs to no tenant and has to say for which one a new device is.
  const namesTenant = !device && (person?.isPlatformOwner ?? false);
  const [tab, setTab] = useTabParam();
  const { send, newest, base } = useDeviceCalls(device);
  const form = useEntityForm<Device, DeviceValues>({
    schema: deviceSchema(namesTenant),
    values: deviceValues(device),
    namespace: 'devices',
    failure: t('saveFailed'),
    // Saving a change asks first; the specification wants that for devices. So does what looks like a typing error.
    question: ({ imei, status }) => {
      const odd = hasWrongCheckDigit(imei) && imei !== device?.imei ? t('confirmImei.text', { imei }) : '';
      if (!device) return odd ? { title: t('confirmImei.title'), text: odd } : undefined;
      const deactivates = device.status === 'active' && status === 'inactive';
      const text = deactivates ? t('confirmEdit.deactivates') : t('confirmEdit.text');
      return { title: t('confirmEdit.title', { name: device.name }), text: [text, odd].join(' ').trim() };
    },
    explain: ({ name, imei }) =>
      [name, imei].some((error) => error?.message === 'validation.required') ? t('required') : undefined,
    readOnly: device && !can('device:update', person),
    tab,
    newest,
    send,
    onSaved: (saved) => {
      toastSuccess(device ? t('updated') : t('created'));
      if (saved.imei_status === 'pending' && device?.imei !== saved.imei) toastWarning(t('imei.pendingText'));
      onClose();
    },
  });
  const shown = form.tab;
  const wanted = shown === 'basic' ? null : shown;
  useEffect(() => {
    if (wanted !== tab) setTab(wanted);
  }, [wanted, tab, setTab]);

  return (
    <DrawerForm
      form={form}
      submitLabel={device ? t('save') : t('create')}
      onClose={onClose}
      actions={base && can('device:delete', person) && <DeleteDevice device={base} onDeleted={onClose} />}
    >
      <FormTabs
        form={form}
        label={t('tab.label')}
        tabs={[
          {
            value: 'basic',
            label: t('tab.basic'),
            content: <BasicFields form={form} namesTenant={namesTenant} device={device} />,
          },
          { value: 'vehicle', label: t('tab.vehicle'), content: <VehicleFields form={form} /> },
        ]}
      />
    </DrawerForm>
  );
}

/** The calls of the form. `base` is the version that a change is based on. */
function useDeviceCalls(device: Device | undefined) {
  const { t } = useTranslation('devices');
  const dispatch = useDispatch<Dispatch>();
  const [base, setBase] = useState(device);
  const [create] = useCreateDeviceMutation();
  const [update] = useUpdateDeviceMutation();
  const send = (values: DeviceValues) => {
    const input = deviceInput(values, base);
    const answer = base
      ? update({ id: base.id, 'If-Match': String(base.row_version), deviceInput: input })
      : create({ deviceInput: input });
    return answer as Promise<MutationResult<Device>>;
  };
  const newest = async () => {
    if (!base) return undefined;
    const query = api.endpoints.getDevice.initiate({ id: base.id }, { forceRefetch: true, subscribe: false });
    const { data } = await dispatch(query);
    if (!data) {
      toastError(t('openFailed'));
      return undefined;
    }
    setBase(data as Device);
    return deviceValues(data as Device);
  };
  return { send, newest, base };
}

interface FieldsProps {
  form: EntityForm<DeviceValues>;
}

interface BasicFieldsProps extends FieldsProps {
  namesTenant: boolean;
  device: Device | undefined;
}

function BasicFields({ form, namesTenant, device }: BasicFieldsProps) {
  const { t } = useTranslation('devices');
  const person = useSelector(selectPerson);
  const tenantId = useWatch({ control: form.control, name: 'tenant_id' });
  const imei = useWatch({ control: form.control, name: 'imei' });
  return (
    <>
      <TextField form={form} name="name" label={t('field.name')} required first />
      <TextField
        form={form}
        name="imei"
        label={t('field.imei')}
        description={t('help.imei')}
        required
        inputMode="numeric"
        maxLength={40}
      />
      <ImeiNotice imei={imei} device={device} />
      <TextField form={form} name="sim_number" label={t('field.simNumber')} inputMode="tel" />
      <SelectField
        form={form}
        name="status"
        label={t('field.status')}
        description={t('help.status')}
        data={[
          { value: 'active', label: t('status.active') },
          { value: 'inactive', label: t('status.inactive') },
        ]}
      />
      <NumberField
        form={form}
        name="max_parking_time"
        label={t('field.maxParkingTime')}
        description={t('help.maxParkingTime')}
        min={0}
        suffix={t('unit.seconds')}
      />
      {namesTenant && (
        <EntityField form={form} name="tenant_id" label={t('field.tenant')} required>
          {(field) => (
            <TenantSelect
              {...field}
              onChange={(value) => {
                field.onChange(value);
                // Owners belong to their tenant.
                form.setValue('user_id', '');
              }}
            />
          )}
        </EntityField>
      )}
      {can('user:list', person) && (
        <EntityField form={form} name="user_id" label={t('field.owner')} description={t('help.owner')}>
          {(field) => <UserSelect {...field} clearable tenantId={tenantId} />}
        </EntityField>
      )}
    </>
  );
}

function VehicleFields({ form }: FieldsProps) {
  const { t } = useTranslation('devices');
  return (
    <>
      <TextField
        form={form}
        name="vehicle_code"
        label={t('field.vehicleCode')}
        description={t('help.vehicleCode')}
        maxLength={32}
      />
      <SelectField
        form={form}
        name="icon_type"
        label={t('field.iconType')}
        description={t('help.iconType')}
        data={ICON_TYPES.map((value) => ({ value, label: t(`iconType.${value}`) }))}
      />
      <TextField
        form={form}
        name="vehicle_type"
        label={t('field.vehicleType')}
        description={t('help.vehicleType')}
        maxLength={64}
      />
      <TextField
        form={form}
        name="primary_driver"
        label={t('field.primaryDriver')}
        description={t('help.primaryDriver')}
        maxLength={100}
      />
    </>
  );
}
