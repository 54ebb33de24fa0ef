import { Button } from '@mantine/core';
import { IconArrowsLeftRight, IconHelpCircle, IconListDetails } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useAddress } from '@/lib/address';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ExplainChooser } from './ExplainChooser';
import classes from './RolesPage.module.css';

/** What else there is to know of rights, beside the list. */
export function MoreAboutRoles() {
  const { t } = useTranslation('roles');
  const { t: permissions } = useTranslation('permissions');
  const person = useSelector(selectPerson);
  const { search, change } = useAddress();
  const explained = search.get('explain');
  const look = { variant: 'default', size: 'compact-md' } as const;
  const explain = (user: string | null) =>
    change(
      (next) => (user === null ? next.delete('explain') : next.set('explain', user)),
      explained === null ? 'push' : 'replace',
    );
  return (
    <>
      <nav className={classes.more} aria-label={t('more')}>
        {can('user:list', person) && (
          <Button {...look} leftSection={<IconHelpCircle size={16} aria-hidden="true" />} onClick={() => explain('')}>
            {t('explain.action')}
          </Button>
        )}
        <Button
          {...look}
          component={Link}
          to="/roles/compare"
          leftSection={<IconArrowsLeftRight size={16} aria-hidden="true" />}
        >
          {t('compare.title')}
        </Button>
        <Button
          {...look}
          component={Link}
          to="/roles/permissions"
          leftSection={<IconListDetails size={16} aria-hidden="true" />}
        >
          {permissions('title')}
        </Button>
      </nav>
      {explained !== null && can('user:list', person) && (
        <ExplainChooser userId={explained} onUser={explain} onClose={() => explain(null)} />
      )}
    </>
  );
}
