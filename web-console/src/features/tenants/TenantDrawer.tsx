import { useTranslation } from 'react-i18next';
import { useGetTenantQuery } from '@/api/api';
import type { Tenant } from '@/api/types';
import { LoadingDrawer } from '@/components/LoadingDrawer';
import { useFirst } from '@/lib/useFirst';
import { TenantForm } from './TenantForm';

/** A tenant in the drawer at the side: the one with this id, or a new one. */
export function TenantDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  // Always from the server: a change must be based on the newest version.
  const { currentData, isFetching, error, refetch } = useGetTenantQuery(
    { id: id ?? '' },
    { skip: id === null, refetchOnMountOrArgChange: true },
  );
  const tenant = useFirst(currentData as Tenant | undefined, !isFetching);
  if (id === null || tenant) return <TenantForm tenant={tenant} onClose={onClose} />;
  return (
    <LoadingDrawer
      title={t('title')}
      failure={t('openFailed')}
      error={isFetching ? undefined : error}
      onRetry={() => void refetch()}
      onClose={onClose}
    />
  );
}
