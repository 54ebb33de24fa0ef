import { IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectIsDemo } from '@/session/sessionSlice';
import classes from './DemoBanner.module.css';

/** Says to the users of the demonstration that nothing they see is real. */
export function DemoBanner() {
  const { t } = useTranslation();
  if (!useSelector(selectIsDemo)) return null;
  return (
    <aside className={classes.banner} aria-label={t('shell.demo.title')} data-testid="demo-banner">
      <IconFlask size={16} aria-hidden="true" className={classes.icon} />
      <span>
        <strong>{t('shell.demo.title')}</strong> {t('shell.demo.text')}
      </span>
    </aside>
  );
}
