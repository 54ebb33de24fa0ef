import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteDeviceMutation } from '@/api/api';
import type { Device } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

/** Deletes a device, after its name has been typed. */
export function DeleteDevice({ device, onDeleted }: { device: Device; onDeleted: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [remove] = useDeleteDeviceMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('deleted'),
    failure: t('deleteFailed'),
    failsIn: 'place',
  });

  const confirm = async () => {
    const done = await act(() => remove({ id: device.id, 'If-Match': String(device.row_version) }));
    if (!done) return;
    setAsking(false);
    onDeleted();
  };
  const close = () => {
    clearProblem();
    setAsking(false);
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
        typeName={device.name}
        busy={busy}
        problem={problem}
        title={t('confirmDelete.title', { name: device.name })}
        text={t('confirmDelete.text')}
        confirmLabel={common('action.delete')}
        onCancel={close}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
