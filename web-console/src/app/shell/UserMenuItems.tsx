import { Badge, Kbd, Menu, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PopupProps } from '@/lib/lazyPopup';
import type { Person } from '@/session/claims';
import { Choice } from './Choice';
import classes from './Header.module.css';
import type { Action } from './useActions';

interface UserMenuItemsProps {
  person: Person;
  actions: Action[];
}

/** Who is signed in, what they are, and how the console looks to them. */
export function UserMenuItems({ person, actions, control, ...popup }: UserMenuItemsProps & PopupProps) {
  const { t } = useTranslation();
  const of = (section: Action['section']) => actions.filter((action) => action.section === section);
  return (
    <Menu {...popup} position="bottom-end" width={280} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{control}</Menu.Target>
      <Menu.Dropdown>
        <WhoAmI person={person} />
        <Menu.Divider />
        <Choice label={t('shell.colorScheme')} actions={of('scheme')} />
        <Menu.Divider />
        <Choice label={t('shell.density')} actions={of('density')} />
        <Menu.Divider />
        {of('sound').map(({ id, label, current, run }) => (
          <Menu.CheckboxItem key={id} checked={current} onChange={run}>
            {label}
          </Menu.CheckboxItem>
        ))}
        {of('session').map(({ id, icon: Icon, label, keys, run }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon size={16} aria-hidden="true" />}
            rightSection={keys && <Kbd size="xs">{keys.join(' ')}</Kbd>}
            onClick={run}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function WhoAmI({ person }: { person: Person }) {
  const { t } = useTranslation();
  const roles = person.roles.join(', ');
  return (
    <div className={classes.person}>
      <Text fw={600} className={classes.email}>
        {person.name}
      </Text>
      <Text c="dimmed" className={classes.email}>
        {person.email}
      </Text>
      {person.tenantName && (
        <Text c="dimmed" size="xs" className={classes.email}>
          {t('shell.tenant', { name: person.tenantName })}
        </Text>
      )}
      {roles && (
        <Text c="dimmed" size="xs">
          {t('shell.roles', { roles })}
        </Text>
      )}
      <div className={classes.flags}>
        {person.isPlatformOwner && <Badge color="brand.8">{t('shell.platformOwner')}</Badge>}
        {person.isTenantAdmin && <Badge color="brand.8">{t('shell.tenantAdmin')}</Badge>}
        {person.isSubscriptionUser && <Badge color="brand.8">{t('shell.subscriptionUser')}</Badge>}
        {person.isDemo && <Badge color="gray.7">{t('shell.demoUser')}</Badge>}
      </div>
    </div>
  );
}
