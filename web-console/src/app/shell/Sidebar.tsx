import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { useFormats } from '@/i18n/useFormats';
import { REGISTRY } from '@/resource/registry';
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
            <NavLink
              key={path}
              to={path}
              className={classes.link}
              title={compact ? label : undefined}
              onClick={onNavigate}
            >
              <Icon size={18} stroke={1.75} aria-hidden="true" className={classes.icon} />
              <span data-cut className={compact ? 'visually-hidden' : classes.name}>
                {label}
              </span>
              {path === REGISTRY.alarms.path && <OpenAlarms />}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** How many alarms nobody has acknowledged; nothing where there are none. */
function OpenAlarms() {
  const { t } = useTranslation();
  const formats = useFormats();
  const count = useOpenAlarms()?.count ?? 0;
  if (count === 0) return null;
  const formatted = formats.number(count);
  return (
    <>
      {' '}
      <span className={classes.badge} aria-hidden="true">
        {count > 99 ? '99+' : formatted}
      </span>
      <span className="visually-hidden">{t('alarms.open', { count, formatted })}</span>
    </>
  );
}
