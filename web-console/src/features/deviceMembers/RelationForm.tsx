import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import * as z from 'zod/mini';
import type { LinkDevicesReport, LinkDevicesRequest } from '@/api/generated';
import type { User } from '@/api/types';
import { DrawerText } from '@/components/Facts';
import { DateField } from '@/components/form/DateField';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { useField, type FieldProps } from '@/components/form/field';
import { useFormats } from '@/i18n/useFormats';
import { useEntityForm } from '@/lib/useEntityForm';
import { useOneQuery } from '@/resource/calls';
import type { ResourceForm, Values } from '@/resource/defineResource';
import { useNames } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { ResourceMultiSelect } from '@/resource/ResourceMultiSelect';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DeviceMembers.module.css';
import { LinkReport } from './LinkReport';
import { RoleField } from './RoleField';
import { roleIn } from './memberRoles';
import { useLinkDevices, usePreview } from './useLinkDevices';

/** What may be chosen; messages are keys of texts. */
const schema = z.object({
  user_id: z.string().check(z.minLength(1, 'validation.user_id_required')),
  device_ids: z.string().check(z.minLength(1, 'validation.device_ids_required')),
  role: z.string(),
  ends_on: z.string(),
}) as unknown as z.ZodMiniType<Values, Values>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const idsIn = (value: unknown): string[] => text(value).split(',').filter(Boolean);

/** What the form asks for. */
function requestOf({ user_id: user, device_ids: devices, role: chosen, ends_on: day }: Values): LinkDevicesRequest {
  const role = roleIn(chosen);
  return {
    user_id: text(user),
    role,
    device_ids: idsIn(devices),
    // An owner's link has no end.
    ends_on: role === 'owner' ? '' : text(day),
  };
}

interface RelationFormProps {
  /** Chosen beforehand, where somebody comes from a device or a user. */
  known?: Values;
  onClose: () => void;
}

/** Links a user to several devices, and then tells what became of each. */
export function RelationForm({ known, onClose }: RelationFormProps) {
  const { t } = useTranslation('deviceMembers');
  const { t: common } = useTranslation();
  const mayChoose = mayDo('users', 'list', useSelector(selectPerson));
  const [report, setReport] = useState<LinkDevicesReport | null>(null);
  if (report)
    return (
      <DrawerText>
        <LinkReport report={report} />
        <div>
          <Button onClick={onClose} data-autofocus>
            {common('action.close')}
          </Button>
        </div>
      </DrawerText>
    );
  if (!mayChoose)
    return (
      <DrawerText>
        <Text>{t('noUsers')}</Text>
      </DrawerText>
    );
  return <Relation known={known} onClose={onClose} onLinked={setReport} />;
}

function Relation({ known, onClose, onLinked }: RelationFormProps & { onLinked: (report: LinkDevicesReport) => void }) {
  const { t } = useTranslation('deviceMembers');
  const ofPlatform = can('platform_owner', useSelector(selectPerson));
  const { link } = useLinkDevices();
  const form: ResourceForm = useEntityForm<LinkDevicesReport, Values>({
    schema,
    values: { user_id: text(known?.user_id), device_ids: text(known?.device_id), role: 'viewer', ends_on: '' },
    namespace: 'deviceMembers',
    failure: t('message.failed'),
    send: (values) => link(requestOf(values)),
    question: ({ role }) =>
      role === 'owner' ? { title: t('confirmOwners.title'), text: t('confirmOwners.text') } : undefined,
    onSaved: onLinked,
  });
  const [userId, role] = useWatch({ control: form.control, name: ['user_id', 'role'] }) as unknown[];
  const user = useOneQuery<User>('users', ofPlatform ? text(userId) : null);
  const tenantId = ofPlatform ? user.currentData?.tenant_id : undefined;
  return (
    <DrawerForm form={form} submitLabel={t('create')} onClose={onClose}>
      <EntityField form={form} name="user_id" label={t('field.destination')} required first>
        {(field) => (
          <ResourceSelect
            {...field}
            of="users"
            onChange={(id) => {
              field.onChange(id);
              // Devices of another tenant are none that this user could be linked to.
              if (ofPlatform) form.setValue('device_ids', '');
            }}
          />
        )}
      </EntityField>
      <RoleField form={form} name="role" label={t('field.role')} required />
      <DevicesField
        form={form}
        name="device_ids"
        tenantId={tenantId}
        label={t('field.devices')}
        description={t('help.devices')}
        required
      />
      {role === 'owner' ? (
        <OwnerNotice form={form} />
      ) : (
        <DateField form={form} name="ends_on" label={t('field.ends_on')} description={t('help.ends_on')} clearable />
      )}
    </DrawerForm>
  );
}

/** The devices, by their ids with commas between. */
function DevicesField({ tenantId, ...props }: FieldProps<Values> & { tenantId: string | undefined }) {
  const field = useField(props);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field: input }) => (
        <ResourceMultiSelect
          {...field}
          {...input}
          of="devices"
          tenantId={tenantId}
          value={idsIn(input.value)}
          onChange={(ids) => input.onChange(ids.join(','))}
          clearable
        />
      )}
    />
  );
}

/** How many former owners are named. */
const NAMED = 5;

/** Says who owns the chosen devices now, and will not any more. */
function OwnerNotice({ form }: { form: ResourceForm }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const [user_id, device_ids] = useWatch({ control: form.control, name: ['user_id', 'device_ids'] }) as unknown[];
  const request = requestOf({ user_id, device_ids, role: 'owner' });
  const report = usePreview(request.user_id && request.device_ids?.length ? request : null);
  const replaced = report?.items.filter(({ replaced_owner_id: owner }) => owner) ?? [];
  const named = replaced.slice(0, NAMED);
  const names = useNames(
    'users',
    named.map(({ replaced_owner_id: owner }) => owner),
  );
  const more = replaced.length - named.length;
  return (
    <Alert color="yellow" variant="light" role="status" className={classes.text}>
      <Text size="sm">{t('owner.replaced')}</Text>
      {named.map(({ device_id: id, device_name: device, replaced_owner_id: owner }) => (
        <Text key={id} size="sm">
          {t('owner.of', { device, owner: names[owner ?? ''] ?? '…' })}
        </Text>
      ))}
      {more > 0 && <Text size="sm">{t('owner.more', { count: more, formatted: formats.number(more) })}</Text>}
    </Alert>
  );
}
