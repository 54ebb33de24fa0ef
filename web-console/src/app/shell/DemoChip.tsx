import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectIsDemo } from '@/session/sessionSlice';
import classes from './Header.module.css';

/** Says to the users of the demonstration that nothing they see is real. */
export function DemoChip() {
  const { t } = useTranslation();
  if (!useSelector(selectIsDemo)) return null;
  return (
    <span className={classes.demo} title={t('shell.demo.text')}>
      {t('shell.demo.title')} <span className="visually-hidden">{t('shell.demo.text')}</span>
    </span>
  );
}
