import { useTranslation } from 'react-i18next';
import { useDeleteRoleMutation } from '@/api/api';
import type { Role } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

interface DeleteRoleProps {
  role: Role;
  asking: boolean;
  onCancel: () => void;
  onDeleted: () => void;
}

/** Deletes a role, after its name has been typed; says how many people lose what it allowed. */
export function DeleteRole({ role, asking, onCancel, onDeleted }: DeleteRoleProps) {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const [remove] = useDeleteRoleMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('deleted'),
    failure: t('deleteFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    const done = await act(() => remove({ id: role.id, 'If-Match': String(role.row_version) }));
    if (done) onDeleted();
  };
  return (
    <ConfirmDialog
      opened={asking}
      destructive
      typeName={role.name}
      busy={busy}
      problem={problem}
      title={t('confirmDelete.title', { name: role.name })}
      text={
        role.users > 0
          ? t('confirmDelete.text', { count: role.users, formatted: formats.number(role.users) })
          : t('confirmDelete.unused')
      }
      confirmLabel={common('action.delete')}
      onCancel={() => {
        clearProblem();
        onCancel();
      }}
      onConfirm={() => void confirm()}
    />
  );
}
