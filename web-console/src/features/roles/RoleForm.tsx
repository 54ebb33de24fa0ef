import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useCreateRoleMutation, useRoleTemplatesQuery, useUpdateRoleMutation } from '@/api/api';
import type { Role } from '@/api/generated';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { SelectField } from '@/components/form/SelectField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import { TenantSelect } from '@/components/TenantSelect';
import { useFormats } from '@/i18n/useFormats';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { selectPerson } from '@/session/sessionSlice';
import { RoleSelect } from './RoleSelect';
import { STARTING_POINTS, roleInput, roleSchema, roleValues, type RoleValues } from './roleForm';
import { useTemplateTexts } from './useTemplateTexts';

interface RoleFormProps {
  role: Role | undefined;
  /** What a new one begins as. */
  copied: Role | undefined;
  onClose: () => void;
  onCreated?: (role: Role) => void;
}

/** Creates a role, or edits name and description of the one given. */
export function RoleForm({ role, copied, onClose, onCreated }: RoleFormProps) {
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
    failure: t('saveFailed'),
    send: (values) => {
      const input = roleInput(values, !role);
      return role
        ? update({ id: role.id, 'If-Match': String(role.row_version), roleInput: input })
        : create({ roleInput: input });
    },
    onSaved: (saved) => {
      toastSuccess(role ? t('updated') : t('created'));
      if (!role && onCreated) onCreated(saved);
      else onClose();
    },
  });
  return (
    <DrawerForm form={form} submitLabel={role ? t('save') : t('create')} onClose={onClose}>
      {namesTenant && (
        <EntityField form={form} name="tenant_id" label={t('field.tenant')} required>
          {(field) => <TenantSelect {...field} />}
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
          {(field) => <RoleSelect {...field} tenantId={tenant || ownTenant} />}
        </EntityField>
      )}
    </>
  );
}
