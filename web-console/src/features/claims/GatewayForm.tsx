import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useAssignGatewayMutation } from '@/api/api';
import type { TenantGateway } from '@/api/generated';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { TextField } from '@/components/form/TextField';
import { TenantSelect } from '@/components/TenantSelect';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';

/** What may be typed; messages are keys of texts. */
const schema = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[\w-]{1,64}$/, 'validation.gateway'),
  tenant_id: z.string().min(1, 'validation.tenant'),
});
type Values = z.infer<typeof schema>;

/** Gives a gateway to a tenant. */
export function GatewayForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('claims');
  const [assign] = useAssignGatewayMutation();
  const form = useEntityForm<TenantGateway, Values>({
    schema,
    values: { name: '', tenant_id: '' },
    namespace: 'claims',
    failure: t('gateways.saveFailed'),
    send: ({ name, tenant_id }) => assign({ name, tenantGatewayInput: { tenant_id } }),
    onSaved: () => {
      toastSuccess(t('gateways.saved'));
      onClose();
    },
  });
  return (
    <DrawerForm form={form} submitLabel={t('gateways.save')} onClose={onClose}>
      <TextField
        form={form}
        name="name"
        label={t('field.gateway')}
        description={t('help.gateway')}
        required
        first
        maxLength={64}
      />
      <EntityField form={form} name="tenant_id" label={t('field.tenant')} required>
        {(field) => <TenantSelect {...field} />}
      </EntityField>
    </DrawerForm>
  );
}
