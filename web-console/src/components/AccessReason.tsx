import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isApiError } from '@/api/errors';
import type { DeviceAccess } from '@/api/generated';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { ErrorState } from './ErrorState';
import { StatusBadge, type StatusTone } from './StatusBadge';

const REASONS = {
  platform_owner: 'info',
  tenant_admin: 'info',
  owner: 'positive',
  technician: 'info',
  viewer: 'neutral',
} satisfies Record<string, StatusTone>;

const OBSTACLES = ['link_ended', 'user_inactive', 'no_permission'] as const;

const isReason = (reason: string): reason is keyof typeof REASONS => reason in REASONS;

/** Why somebody sees a device; nothing for what this console does not know. */
export function AccessReason({ reason }: { reason: DeviceAccess['reason'] }) {
  const { t } = useTranslation('deviceMembers');
  return isReason(reason) && <StatusBadge tone={REASONS[reason]}>{t(`reason.${reason}`)}</StatusBadge>;
}

/** What keeps somebody from it all the same; nothing where nothing does. */
export function AccessObstacle({ obstacle }: Pick<DeviceAccess, 'obstacle'>) {
  const { t } = useTranslation('deviceMembers');
  const known = OBSTACLES.find((each) => each === obstacle);
  return known && <StatusBadge tone="warning">{t(`obstacle.${known}`)}</StatusBadge>;
}

/** What somebody may do, in words. */
export function AccessPermissions({ permissions }: Pick<DeviceAccess, 'permissions'>) {
  const { t } = useTranslation('deviceMembers');
  const texts = usePermissionTexts();
  const names = permissions.map((key) => texts.name(key)).join(', ');
  return (
    <Text size="sm" c="dimmed">
      {names ? t('access.may', { names }) : t('access.mayNothing')}
    </Text>
  );
}

/** Access is shown to those alone who manage it: to anybody else, the server says that there is nothing. */
export function AccessProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('deviceMembers');
  if (isApiError(error) && (error.status === 403 || error.status === 404))
    return <Text c="dimmed">{t('access.notYours')}</Text>;
  return <ErrorState title={t('access.failed')} error={error} onRetry={onRetry} />;
}
