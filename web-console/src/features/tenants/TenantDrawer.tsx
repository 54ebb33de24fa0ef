import { useTranslation } from 'react-i18next';
import { useGetTenantQuery } from '@/api/api';
import type { Tenant } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
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
  const waiting = id !== null && !tenant;
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (tenant?.name ?? t('title'))}
      load={
        waiting
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      <TenantForm tenant={tenant} onClose={onClose} />
    </DetailDrawer>
  );
}
