import { ActionIcon, Avatar, Badge, Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { useLogoutMutation } from '@/api/api';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { ended, selectPerson } from '@/session/sessionSlice';
import { NAVIGATION } from './navigation';
import classes from './Shell.module.css';

/** Toggle of the sidebar, title, language, colour scheme and user. */
export function Header({ onToggle, expanded }: { onToggle: () => void; expanded: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const entry = NAVIGATION.flatMap((group) => group.entries).find(({ path }) => path === pathname);
  return (
    <header className={classes.header}>
      <ActionIcon aria-label={t('shell.toggleSidebar')} aria-expanded={expanded} onClick={onToggle}>
        <IconMenu2 size={18} aria-hidden="true" />
      </ActionIcon>
      <div className={classes.title}>{entry ? t(`nav.${entry.name}`) : 'Armada'}</div>
      <LanguageMenu />
      <SchemeMenu />
      <UserMenu />
    </header>
  );
}

function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const current = languageOf(i18n.language);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('shell.language')} title={LANGUAGE_NAMES[current]}>
          <IconLanguage size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => void i18n.changeLanguage(language)}
            rightSection={language === current && <IconCheck size={16} aria-label={t('shell.current')} />}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const satisfies { scheme: MantineColorScheme; icon: unknown }[];

function SchemeMenu() {
  const { t } = useTranslation();
  // Switching transitions off for the change would need an inline style element, which the policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const Current = SCHEMES.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconDeviceDesktop;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('shell.colorScheme')}>
          <Current size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ scheme, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden="true" />}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme && <IconCheck size={16} aria-label={t('shell.current')} />}
          >
            {t(`shell.scheme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const { t } = useTranslation();
  const dispatch = useDispatch();
  const person = useSelector(selectPerson);
  const [logout] = useLogoutMutation();
  if (!person) return null;

  const signOut = async () => {
    // Whatever the server says, this browser forgets the session.
    await logout();
    dispatch(ended('signed_out'));
  };
  const roles = person.roles.join(', ');
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon aria-label={t('shell.userMenu', { name: person.name || person.email })} radius="xl">
          <Avatar name={person.name || person.email} size={32} color="brand.8" variant="filled" alt="" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <Text fw={600}>{person.name}</Text>
          <Text c="dimmed" className={classes.email}>
            {person.email}
          </Text>
          {roles && (
            <Text c="dimmed" size="xs">
              {t('shell.roles', { roles })}
            </Text>
          )}
          <div className={classes.flags}>
            {person.isPlatformOwner && <Badge color="brand.8">{t('shell.platformOwner')}</Badge>}
            {person.isTenantAdmin && <Badge color="brand.8">{t('shell.tenantAdmin')}</Badge>}
            {person.isSubscriptionUser && <Badge color="brand.8">{t('shell.subscriptionUser')}</Badge>}
          </div>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => void signOut()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
