import { useTranslation } from 'react-i18next';
import { useDeleteTenantMutation } from '@/api/api';
import type { Tenant } from '@/api/types';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { DoubleConfirmButton } from './DoubleConfirmButton';

/** Deletes a tenant. For thirty days that can be undone. */
export function DeleteTenant({ tenant, onDeleted }: { tenant: Tenant; onDeleted: () => void }) {
  const { t } = useTranslation('tenants');
  const { t: common } = useTranslation('common');
  const [remove] = useDeleteTenantMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('deleted'),
    failure: t('deleteFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    const { id, name, row_version: version } = tenant;
    const done = await act(() => remove({ id, name, 'If-Match': String(version) }));
    if (done) onDeleted();
  };
  return (
    <DoubleConfirmButton
      label={common('action.delete')}
      title={t('confirmDelete.title', { name: tenant.name })}
      text={t('confirmDelete.text')}
      name={tenant.name}
      again={t('confirmDelete.again')}
      busy={busy}
      problem={problem}
      onClearProblem={clearProblem}
      onConfirm={() => void confirm()}
    />
  );
}
