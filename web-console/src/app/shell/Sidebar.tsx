import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { Brand } from './Brand';
import { NAVIGATION } from './navigation';
import classes from './Shell.module.css';

/** The screens that this person may open. `compact` shows icons alone. */
export function Sidebar({ compact, onNavigate }: { compact: boolean; onNavigate: () => void }) {
  const { t } = useTranslation();
  const person = useSelector(selectPerson);
  return (
    <div className={classes.sidebarInner}>
      <Brand compact={compact} />
      <nav aria-label={t('shell.navigation')} className={classes.nav}>
        {NAVIGATION.map((group) => {
          const entries = group.entries.filter(({ ability }) => !ability || can(ability, person));
          if (entries.length === 0) return null;
          return (
            <div key={group.name} role="group" aria-label={t(`nav.group.${group.name}`)}>
              {!compact && <div className={classes.groupName}>{t(`nav.group.${group.name}`)}</div>}
              {entries.map(({ path, name, icon: Icon }) => (
                <Tooltip key={path} label={t(`nav.${name}`)} position="right" disabled={!compact}>
                  <NavLink
                    to={path}
                    className={classes.link}
                    onClick={onNavigate}
                    aria-label={compact ? t(`nav.${name}`) : undefined}
                  >
                    <Icon size={18} stroke={1.75} aria-hidden="true" />
                    {!compact && <span>{t(`nav.${name}`)}</span>}
                  </NavLink>
                </Tooltip>
              ))}
            </div>
          );
        })}
      </nav>
    </div>
  );
}
