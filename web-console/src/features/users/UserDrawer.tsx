import { useTranslation } from 'react-i18next';
import { useGetUserQuery } from '@/api/api';
import type { User } from '@/api/types';
import { DetailDrawer } from '@/components/DetailDrawer';
import { useFirst } from '@/lib/useFirst';
import { UserForm } from './UserForm';

/** A user in the drawer at the side: the one with this id, or a new one. */
export function UserDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation('users');
  // Always from the server: a change must be based on the newest version.
  const { currentData, isFetching, error, refetch } = useGetUserQuery(
    { id: id ?? '' },
    { skip: id === null, refetchOnMountOrArgChange: true },
  );
  const user = useFirst(currentData as User | undefined, !isFetching);
  const waiting = id !== null && !user;
  return (
    <DetailDrawer
      title={id === null ? t('createTitle') : (user?.name ?? t('title'))}
      load={
        waiting
          ? { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() }
          : undefined
      }
      onClose={onClose}
    >
      <UserForm user={user} onClose={onClose} />
    </DetailDrawer>
  );
}
