import { ActionIcon, Group, Kbd, UnstyledButton } from '@mantine/core';
import { IconLanguage, IconMenu2, IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { lazyPart } from '@/lib/lazyPart';
import { lazyPopup } from '@/lib/lazyPopup';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { isMapPath } from '../paths';
import { DemoChip } from './DemoChip';
import classes from './Header.module.css';
import { MOD } from './keys';
import { useNavigation, type NavigationEntry } from './navigation';
import type { Action } from './useActions';
import { UserMenu } from './UserMenu';

const AlarmBell = lazyPart(async () => (await import('./alarms/parts')).AlarmBell);
const LanguageMenu = lazyPopup('menu', async () => (await import('./LanguageMenu')).LanguageMenu);

interface HeaderProps {
  expanded: boolean;
  onToggle: () => void;
  onSearch: () => void;
  actions: Action[];
}

/** Toggle of the sidebar, where one is, search, language, bell and user. */
export function Header({ expanded, onToggle, onSearch, actions }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <header className={classes.header}>
      <ActionIcon aria-label={t('shell.toggleSidebar')} aria-expanded={expanded} onClick={onToggle}>
        <IconMenu2 size={18} aria-hidden="true" />
      </ActionIcon>
      <WhereAmI actions={actions} />
      <DemoChip />
      <UnstyledButton
        className={classes.search}
        onClick={onSearch}
        aria-label={t('shell.search')}
        aria-haspopup="dialog"
      >
        <IconSearch size={16} aria-hidden="true" />
        <span className={classes.searchText}>{t('shell.search')}</span>
        <Group gap="3xs" wrap="nowrap" className={classes.keys} aria-hidden="true">
          <Kbd size="xs">{MOD}</Kbd>
          <Kbd size="xs">K</Kbd>
        </Group>
      </UnstyledButton>
      <LanguageButton actions={actions} />
      {can('alarm:list', useSelector(selectPerson)) && (
        <div className={classes.bell}>
          <AlarmBell />
        </div>
      )}
      <UserMenu actions={actions} />
    </header>
  );
}

function WhereAmI({ actions }: Pick<HeaderProps, 'actions'>) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  // A screen has others below it, e.g. that of one role.
  const isHere = ({ path }: NavigationEntry) => pathname === path || pathname.startsWith(`${path}/`);
  const group = useNavigation(useSelector(selectPerson)).find(({ entries }) => entries.some(isHere));
  const entry = group?.entries.find(isHere);
  if (!group || !entry) {
    // Those that the user's menu leads to are in no group.
    const own = actions.find(({ section, keywords }) => section === 'session' && keywords === pathname);
    return <div className={classes.title}>{own?.label ?? 'Armada'}</div>;
  }
  // The title below says which screen it is; a map has none, and what is below a screen has another.
  const isSaid = pathname === entry.path && !isMapPath(pathname);
  return (
    <ol className={classes.title} aria-label={t('shell.whereAmI')}>
      <li className={classes.group}>{t(`nav.group.${group.name}`)}</li>
      {!isSaid && <li className={classes.screen}>{entry.label}</li>}
    </ol>
  );
}

function LanguageButton({ actions }: { actions: Action[] }) {
  const { t, i18n } = useTranslation();
  const control = (
    <ActionIcon aria-label={t('shell.language')} title={LANGUAGE_NAMES[languageOf(i18n.language)]}>
      <IconLanguage size={18} aria-hidden="true" />
    </ActionIcon>
  );
  return <LanguageMenu actions={actions} control={control} />;
}
