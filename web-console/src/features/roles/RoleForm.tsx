import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCreateRoleMutation, useGetRoleQuery, useRoleTemplatesQuery, useUpdateRoleMutation } from '@/api/api';
import type { Role } from '@/api/generated';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { SelectField } from '@/components/form/SelectField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { useFormats } from '@/i18n/useFormats';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { useAddress } from '@/lib/address';
import type { FormProps } from '@/resource/defineResource';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useResourceTexts } from '@/resource/texts';
import { useNewest } from '@/resource/useResourceForm';
import { selectPerson } from '@/session/sessionSlice';
import { STARTING_POINTS, roleInput, roleSchema, roleValues, type RoleValues } from './roleForm';
import { useTemplateTexts } from './useTemplateTexts';

/** Creates a role, or edits name and description of the one given. A new one may begin as a copy, which the address names. */
export function RoleForm({ row: role, onClose }: FormProps<Role>) {
  const copyOf = useAddress().search.get('copy');
  const { currentData: copied, isError } = useGetRoleQuery(
    { id: copyOf ?? '' },
    { skip: role !== undefined || !copyOf },
  );
  // What cannot be copied leaves an empty beginning.
  if (!role && copyOf && !copied && !isError) return null;
  return <Form role={role} copied={copied} onClose={onClose} />;
}

interface FormOfRoleProps {
  role: Role | undefined;
  /** What a new one begins as. */
  copied: Role | undefined;
  onClose: () => void;
}

function Form({ role, copied, onClose }: FormOfRoleProps) {
  const { t: texts } = useResourceTexts('roles');
  const navigate = useNavigate();
  const load = useNewest<Role>('roles');
  const [base, setBase] = useState(role);
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  // A platform owner belongs to no tenant and has to say for which one a new role is.
  const namesTenant = !role && (person?.isPlatformOwner ?? false);
  const [create] = useCreateRoleMutation();
  const [update] = useUpdateRoleMutation();
  const form = useEntityForm<Role, RoleValues>({
    schema: roleSchema(namesTenant),
    values: roleValues(role, copied),
    namespace: 'roles',
    failure: texts('saveFailed'),
    newest:
      base &&
      (async () => {
        const newest = await load(base.id);
        if (newest) setBase(newest);
        return newest && roleValues(newest);
      }),
    send: (values) => {
      const input = roleInput(values, !base);
      return base
        ? update({ id: base.id, 'If-Match': String(base.row_version), roleInput: input })
        : create({ body: input });
    },
    onSaved: (saved) => {
      toastSuccess(role ? texts('updated') : texts('created'));
      if (!role) void navigate(`/roles/${saved.id}`);
      else onClose();
    },
  });
  return (
    <DrawerForm form={form} submitLabel={role ? texts('save') : texts('create')} onClose={onClose}>
      {namesTenant && (
        <EntityField form={form} name="tenant_id" label={t('field.tenant_id')} required>
          {(field) => <ResourceSelect {...field} of="tenants" />}
        </EntityField>
      )}
      <TextField form={form} name="name" label={t('field.name')} required first />
      <TextAreaField form={form} name="description" label={t('field.description')} />
      {!role && <BeginningFields form={form} ownTenant={person?.tenantId ?? ''} />}
    </DrawerForm>
  );
}

function BeginningFields({ form, ownTenant }: { form: EntityForm<RoleValues>; ownTenant: string }) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const texts = useTemplateTexts();
  const { data } = useRoleTemplatesQuery();
  const [beginning, template, tenant] = useWatch({
    control: form.control,
    name: ['beginning', 'template', 'tenant_id'],
  });
  const chosen = data?.items.find(({ key }) => key === template);
  const allowed = chosen?.items.filter(({ effect }) => effect === 'allow').length ?? 0;
  const about =
    chosen && `${texts.text(chosen.key)} ${t('allows', { count: allowed, formatted: formats.number(allowed) })}`.trim();
  return (
    <>
      <SelectField
        form={form}
        name="beginning"
        label={t('field.beginning')}
        description={t('help.beginning')}
        data={STARTING_POINTS.map((value) => ({ value, label: t(`beginning.${value}`) }))}
      />
      {beginning === 'template' && (
        <SelectField
          form={form}
          name="template"
          label={t('field.template')}
          description={about}
          required
          data={(data?.items ?? []).map(({ key }) => ({ value: key, label: texts.name(key) }))}
        />
      )}
      {beginning === 'copy' && (
        <EntityField form={form} name="copy_of" label={t('field.copyOf')} required>
          {(field) => <ResourceSelect {...field} of="roles" tenantId={tenant || ownTenant} />}
        </EntityField>
      )}
    </>
  );
}
