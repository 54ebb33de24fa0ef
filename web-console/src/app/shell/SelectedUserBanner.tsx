import { Button, Group } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { useGetUserQuery } from '@/api/calls/users';
import { isApiError } from '@/api/errors';
import { userSelected } from '@/session/sessionSlice';
import classes from './SelectedUserBanner.module.css';

/** Says whose fleet is looked at while it is not one's own, and leads back. */
export function SelectedUserBanner({ id, onChange }: { id: string; onChange: () => void }) {
  const { t } = useTranslation();
  const dispatch = useDispatch();
  const { data: user, error } = useGetUserQuery({ id });
  const isGone = isApiError(error) && error.status === 404;
  useEffect(() => {
    if (isGone) dispatch(userSelected(null));
  }, [isGone, dispatch]);
  return (
    <aside className={classes.banner} aria-label={t('selectUser.title')} data-testid="selected-user">
      <IconEye size={16} aria-hidden="true" className={classes.icon} />
      <span className={classes.text}>{t('selectUser.viewing', { name: user?.name || user?.email || '…' })}</span>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={onChange}>
          {t('selectUser.change')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => dispatch(userSelected(null))}>
          {t('selectUser.back')}
        </Button>
      </Group>
    </aside>
  );
}
