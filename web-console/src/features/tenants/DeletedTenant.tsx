import { Alert, Group, Stack } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useEraseTenantMutation, useRestoreTenantMutation } from '@/api/calls/tenants';
import type { Tenant } from '@/api/types';
import { BusyButton } from '@/components/BusyButton';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { Danger, DangerButton } from '@/resource/DeleteAction';

/** What can be done about a tenant that is deleted: have it back, or erase it before its time. */
export function DeletedTenant({ row: tenant, onClose }: { row: Tenant; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  const deleted = formats.dateTime(tenant.deleted_at ?? '');
  const erased = formats.dateTime(tenant.erase_after ?? '');
  return (
    <Stack p="md">
      <Alert color="red" variant="outline" title={t('deletion.title', { date: deleted })}>
        {t('deletion.text', { date: erased })}
      </Alert>
      <Group>
        <Undo tenant={tenant} onDone={onClose} />
        <EraseNow tenant={tenant} onDone={onClose} />
      </Group>
    </Stack>
  );
}

interface ActProps {
  tenant: Tenant;
  onDone: () => void;
}

function Undo({ tenant, onDone }: ActProps) {
  const { t } = useTranslation('tenants');
  const [restore] = useRestoreTenantMutation();
  const { act, busy } = useMutationFeedback({ done: t('deletion.undone'), failure: t('deletion.undoFailed') });
  const undo = async () => {
    if (busy) return;
    if (await act(() => restore({ id: tenant.id }))) onDone();
  };
  return (
    <BusyButton busy={busy} leftSection={<IconArrowBackUp size={16} aria-hidden="true" />} onClick={() => void undo()}>
      {t('deletion.undo')}
    </BusyButton>
  );
}

function EraseNow({ tenant, onDone }: ActProps) {
  const { t } = useTranslation('tenants');
  const [erase] = useEraseTenantMutation();
  const { id, name, row_version: version } = tenant;
  return (
    <Danger
      label={t('deletion.erase')}
      title={t('confirmErase.title', { name })}
      text={t('confirmErase.text')}
      name={name}
      again={t('confirmErase.again')}
      done={t('deletion.erased')}
      failure={t('deletion.eraseFailed')}
      send={() => erase({ id, 'If-Match': String(version), deleteTenantInput: { name } })}
      onDone={onDone}
    >
      {(ask) => <DangerButton label={t('deletion.erase')} onClick={ask} />}
    </Danger>
  );
}
