import { ActionIcon, Avatar } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { lazyPopup } from '@/lib/lazyPopup';
import { selectPerson } from '@/session/sessionSlice';
import type { Action } from './useActions';

const UserMenuItems = lazyPopup('menu', async () => (await import('./UserMenuItems')).UserMenuItems);

/** Who is signed in, and what they can do about it. */
export function UserMenu({ actions }: { actions: Action[] }) {
  const { t } = useTranslation();
  const person = useSelector(selectPerson);
  if (!person) return null;
  const name = person.name || person.email;
  const control = (
    <ActionIcon aria-label={t('shell.userMenu', { name })} radius="xl">
      <Avatar name={name} size={32} color="brand.8" variant="filled" alt="" />
    </ActionIcon>
  );
  return <UserMenuItems person={person} actions={actions} control={control} />;
}
