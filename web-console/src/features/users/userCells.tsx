import { useTranslation } from 'react-i18next';
import type { UserStatus } from '@/api/generated';
import type { User } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import classes from './UserDrawer.module.css';

/** What a user is by their standing, and their roles: who needs no role for what they may do is said with the roles. */
export function UserRoles({ user: { is_platform_owner: owner, is_tenant_admin: admin, roles } }: { user: User }) {
  const { t } = useTranslation('users');
  const roleNames = [...(owner ? [t('role.platform_owner')] : []), ...(admin ? [t('role.tenant_admin')] : [])];
  return [...roleNames, ...roles.map(({ name }) => name)].join(', ') || '–';
}

const TONES: Record<UserStatus, StatusTone> = {
  unspecified: 'neutral',
  active: 'positive',
  inactive: 'neutral',
  invited: 'info',
};

/** How an account stands, which follows from what happened to it. */
export function UserStatusCell({ row: { status, last_login: at, has_totp } }: { row: User }) {
  const { t } = useTranslation('users');
  return (
    <span className={classes.standing}>
      {status !== 'unspecified' && <StatusBadge tone={TONES[status]}>{t(`status.${status}`)}</StatusBadge>}
      <span>
        {t('field.last_login')}: {at ? <TimeAgo at={at} /> : t('never')}
      </span>
      {has_totp && <span>{t('hasTotp')}</span>}
    </span>
  );
}
