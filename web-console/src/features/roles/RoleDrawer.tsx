import { useTranslation } from 'react-i18next';
import { useGetRoleQuery } from '@/api/api';
import type { Role } from '@/api/generated';
import { DetailDrawer } from '@/components/DetailDrawer';
import { useFreshSnapshot } from '@/lib/useFreshSnapshot';
import { RoleForm } from './RoleForm';

interface RoleDrawerProps {
  /** Null for a new one. */
  id: string | null;
  /** The role that a new one begins as. */
  copyOf?: string;
  onClose: () => void;
  onCreated?: (role: Role) => void;
}

/** Name and description of a role in the drawer at the side: the one with this id, or a new one. */
export function RoleDrawer({ id, copyOf, onClose, onCreated }: RoleDrawerProps) {
  const { t } = useTranslation('roles');
  const wanted = id ?? copyOf ?? '';
  // Always from the server: a change must be based on the newest version.
  const query = useGetRoleQuery({ id: wanted }, { skip: !wanted, refetchOnMountOrArgChange: true });
  const { isFetching, error, refetch } = query;
  const found = useFreshSnapshot(query);
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (found?.name ?? t('title'))}
      load={
        wanted && !found
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      <RoleForm
        role={id === null ? undefined : found}
        copied={id === null ? found : undefined}
        onClose={onClose}
        onCreated={onCreated}
      />
    </DetailDrawer>
  );
}
