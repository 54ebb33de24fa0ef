import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './RolePage.module.css';

/** Leads from what belongs to roles to their list. */
export function BackToRoles() {
  const { t } = useTranslation('roles');
  return (
    <Anchor component={Link} to="/roles" size="sm" className={classes.back}>
      {t('backToList')}
    </Anchor>
  );
}
