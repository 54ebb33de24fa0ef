import { useTranslation } from 'react-i18next';
import { useGetTenantQuery } from '@/api/api';
import type { Tenant } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { DeletedTenant } from './DeletedTenant';
import { TenantForm } from './TenantForm';

interface TenantDrawerProps {
  /** Null for a new one. */
  id: string | null;
  /** The page of the list behind, to go through one by one. */
  neighbours: Tenant[];
  onShow: (id: string) => void;
  onClose: () => void;
}

/** A tenant in the drawer at the side: the one with this id, or a new one. */
export function TenantDrawer({ id, neighbours, onShow, onClose }: TenantDrawerProps) {
  const { t } = useTranslation('tenants');
  // Always from the server: a change must be based on the newest version.
  const query = useGetTenantQuery({ id: id ?? '' }, { skip: id === null, refetchOnMountOrArgChange: true });
  const { isFetching, error, refetch } = query;
  const tenant = useFreshSnapshot(query) as Tenant | undefined;
  const place = neighbours.findIndex((each) => each.id === id);
  const to = (neighbour: Tenant | undefined) => (neighbour ? () => onShow(neighbour.id) : null);
  const waiting = id !== null && !tenant;
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (tenant?.name ?? neighbours[place]?.name ?? t('title'))}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={
        waiting
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      {tenant?.deleted_at ? (
        <DeletedTenant tenant={tenant} onClose={onClose} />
      ) : (
        <TenantForm tenant={tenant} onClose={onClose} />
      )}
    </DetailDrawer>
  );
}
