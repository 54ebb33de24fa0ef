import { Alert, Group, Stack } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useEraseTenantMutation, useRestoreTenantMutation } from '@/api/api';
import type { Tenant } from '@/api/types';
import { BusyButton } from '@/components/BusyButton';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { DoubleConfirmButton } from './DoubleConfirmButton';

/** What can be done about a tenant that is deleted: have it back, or erase it before its time. */
export function DeletedTenant({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
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
  const words = { done: t('deletion.erased'), failure: t('deletion.eraseFailed'), failsIn: 'place' } as const;
  const { act, busy, problem, clearProblem } = useMutationFeedback(words);
  const confirm = async () => {
    const { id, name, row_version: version } = tenant;
    const done = await act(() => erase({ id, 'If-Match': String(version), deleteTenantInput: { name } }));
    if (done) onDone();
  };
  return (
    <DoubleConfirmButton
      label={t('deletion.erase')}
      title={t('confirmErase.title', { name: tenant.name })}
      text={t('confirmErase.text')}
      name={tenant.name}
      again={t('confirmErase.again')}
      busy={busy}
      problem={problem}
      onClearProblem={clearProblem}
      onConfirm={() => void confirm()}
    />
  );
}
