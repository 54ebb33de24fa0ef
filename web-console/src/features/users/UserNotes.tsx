import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { givesRoles, isOwn, noRoles } from './userRights';

interface NoteProps {
  row: User | undefined;
}

/** Which roles a user has, for who may not give them, and why that is so. */
export function RolesNote({ row: user }: NoteProps) {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  if (givesRoles(user, person)) return null;
  if (!user) return <Text size="sm">{t('rolesByOthers')}</Text>;
  const names = user.roles.map(({ name }) => name).join(', ') || '–';
  const why = can('user:update', person) && noRoles(user, person);
  return (
    <>
      <Text size="sm">{user.is_platform_owner ? t('rolesOfPlatform') : t('rolesAre', { names })}</Text>
      {why && (
        <Text size="sm" c="dimmed">
          {t(`noRoles.${why}`)}
        </Text>
      )}
    </>
  );
}

/** What an account's state follows from. */
export function StatusNote({ row: user }: NoteProps) {
  const { t } = useTranslation('users');
  const own = isOwn(user, useSelector(selectPerson));
  return (
    <Text size="sm" c="dimmed">
      {own ? t('help.ownStatus') : t('help.status')}
    </Text>
  );
}
