import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteUserMutation } from '@/api/api';
import type { User } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

/** Deletes a user, after their name has been typed. */
export function DeleteUser({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [remove] = useDeleteUserMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('deleted'),
    failure: t('deleteFailed'),
    failsIn: 'place',
  });

  const confirm = async () => {
    const done = await act(() => remove({ id: user.id, 'If-Match': String(user.row_version) }));
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
        typeName={user.name}
        busy={busy}
        problem={problem}
        title={t('confirmDelete.title', { name: user.name })}
        text={t('confirmDelete.text')}
        confirmLabel={common('action.delete')}
        onCancel={close}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
