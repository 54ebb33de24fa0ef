import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router';
import { selectPerson } from '@/session/sessionSlice';
import { allowedOf, useNavigation } from './navigation';
import classes from './Sidebar.module.css';

/** The screens that this person may open. `compact` shows icons alone. */
export function Sidebar({ compact, onNavigate }: { compact: boolean; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const person = useSelector(selectPerson);
  const groups = allowedOf(useNavigation(person), person);
  return (
    <nav aria-label={t('nav.title')} className={classes.nav} data-compact={compact || undefined}>
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={t(`nav.group.${group.name}`)} className={classes.group}>
          {!compact && <div className={classes.groupName}>{t(`nav.group.${group.name}`)}</div>}
          {group.entries.map(({ path, label, icon: Icon }) => (
            <Tooltip key={path} label={label} position="right" disabled={!compact}>
              <NavLink to={path} className={classes.link} onClick={onNavigate} aria-label={compact ? label : undefined}>
                <Icon size={18} stroke={1.75} aria-hidden="true" className={classes.icon} />
                {!compact && <span className={classes.name}>{label}</span>}
              </NavLink>
            </Tooltip>
          ))}
        </div>
      ))}
    </nav>
  );
}
