import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCreateDeviceMutation, useDeleteDeviceMutation, useUpdateDeviceMutation } from '@/api/api';
import type { Device } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { FormDrawer } from '@/components/FormDrawer';
import { TenantSelect } from '@/components/TenantSelect';
import { UserSelect } from '@/components/UserSelect';
import { errorText } from '@/i18n/errorText';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import { useSave } from '@/lib/useSave';
import { liveStore } from '@/live/liveStore';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DEVICE_FIELDS, deviceInput, deviceSchema, deviceValues, type DeviceValues } from './deviceForm';

/** Creates a device, or edits the one given. */
export function DeviceForm({ device, onClose }: { device: Device | undefined; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation('common');
  const person = useSelector(selectPerson);
  const [create] = useCreateDeviceMutation();
  const [update] = useUpdateDeviceMutation();
  // A platform owner belongs to no tenant and has to say for which one a new device is.
  const namesTenant = !device && (person?.isPlatformOwner ?? false);
  const [confirming, setConfirming] = useState<DeviceValues | null>(null);

  const form = useForm<DeviceValues>({ resolver: zodResolver(deviceSchema), defaultValues: deviceValues(device) });
  const { errors, isDirty } = form.formState;
  const message = (field: keyof DeviceValues) => {
    const error = errors[field];
    if (!error?.message) return undefined;
    return error.type === 'server' ? error.message : t(error.message as 'validation.required');
  };

  const { save, busy, problem } = useSave<Device, DeviceValues>({
    fields: DEVICE_FIELDS,
    setError: form.setError,
    failure: t('saveFailed'),
    onSaved: (saved) => {
      toastSuccess(device ? t('updated') : t('created'));
      for (const warning of saved.warnings ?? []) {
        toastWarning(warning === 'imei_check_digit' ? t('warning.imei_check_digit', { imei: saved.imei }) : warning);
      }
      onClose();
    },
  });

  const send = (values: DeviceValues) =>
    save(async () => {
      const input = deviceInput(values, !device);
      const answer = device
        ? await update({ id: device.id, 'If-Match': String(device.row_version), deviceInput: input })
        : await create({ deviceInput: input });
      return answer as { data: Device } | { error: unknown };
    });

  // Saving a change asks first; the specification wants that for devices.
  const submit = form.handleSubmit((values) => {
    if (device) return setConfirming(values);
    if (namesTenant && !values.tenant_id) return form.setError('tenant_id', { message: 'validation.tenant' });
    return send(values);
  });
  const missing = errors.name?.message === 'validation.required' || errors.imei?.message === 'validation.required';
  const tenantChosen = useWatch({ control: form.control, name: 'tenant_id' });

  return (
    <FormDrawer
      title={device ? t('editTitle', { name: device.name }) : t('createTitle')}
      submitLabel={device ? t('save') : t('create')}
      busy={busy}
      dirty={isDirty}
      problem={missing ? t('required') : problem}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      actions={device && <DeleteDevice device={device} onDeleted={onClose} />}
    >
      <TextInput label={t('field.name')} required error={message('name')} {...form.register('name')} data-autofocus />
      <TextInput
        label={t('field.imei')}
        description={t('help.imei')}
        required
        inputMode="numeric"
        maxLength={15}
        error={message('imei')}
        {...form.register('imei')}
      />
      <TextInput
        label={t('field.simNumber')}
        inputMode="tel"
        error={message('sim_number')}
        {...form.register('sim_number')}
      />
      <Controller
        control={form.control}
        name="max_parking_time"
        render={({ field }) => (
          <NumberInput
            label={t('field.maxParkingTime')}
            description={t('help.maxParkingTime')}
            min={0}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            error={message('max_parking_time')}
            {...field}
          />
        )}
      />
      <Controller
        control={form.control}
        name="status"
        render={({ field }) => (
          <Select
            label={t('field.status')}
            allowDeselect={false}
            data={[
              { value: 'active', label: t('status.active') },
              { value: 'inactive', label: t('status.inactive') },
            ]}
            error={message('status')}
            {...field}
          />
        )}
      />
      {namesTenant && (
        <Controller
          control={form.control}
          name="tenant_id"
          render={({ field }) => (
            <TenantSelect
              label={t('field.tenant')}
              required
              error={message('tenant_id')}
              value={field.value}
              onChange={(value) => {
                field.onChange(value);
                // Owners belong to their tenant.
                form.setValue('user_id', '');
              }}
            />
          )}
        />
      )}
      {can('assign_devices', person) && (
        <Controller
          control={form.control}
          name="user_id"
          render={({ field }) => (
            <UserSelect
              label={t('field.owner')}
              description={t('help.owner')}
              clearable
              tenantId={tenantChosen}
              value={field.value}
              onChange={field.onChange}
              error={message('user_id')}
            />
          )}
        />
      )}
      <ConfirmDialog
        opened={confirming !== null}
        title={t('confirmEdit.title', { name: device?.name })}
        text={t('confirmEdit.text')}
        confirmLabel={common('action.save')}
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          if (confirming) void send(confirming);
          setConfirming(null);
        }}
      />
    </FormDrawer>
  );
}

function DeleteDevice({ device, onDeleted }: { device: Device; onDeleted: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [remove, { isLoading }] = useDeleteDeviceMutation();

  const confirm = async () => {
    const answer = await remove({ id: device.id, 'If-Match': String(device.row_version) });
    setAsking(false);
    if (answer.error) return toastError(`${t('deleteFailed')} ${errorText(answer.error, common)}`);
    liveStore.forget(device.id);
    toastSuccess(t('deleted'));
    onDeleted();
  };

  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {common('action.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        busy={isLoading}
        title={t('confirmDelete.title', { name: device.name })}
        text={t('confirmDelete.text')}
        confirmLabel={common('action.delete')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
