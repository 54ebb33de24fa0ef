import type { UserStatus } from '@/api/generated';
import type { User } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useUserTexts } from './useUserTexts';

const TONES: Record<UserStatus, StatusTone> = {
  unspecified: 'neutral',
  active: 'positive',
  inactive: 'neutral',
  invited: 'info',
};

/** How an account stands. */
export function UserStatusBadge({ user }: { user: User }) {
  const { status } = useUserTexts();
  return <StatusBadge tone={TONES[user.status]}>{status(user)}</StatusBadge>;
}
