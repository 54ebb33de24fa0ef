import { useTranslation } from 'react-i18next';
import { formatsFor } from '@/i18n/format';
import classes from './Live.module.css';

/** When the link ends. */
export function Until({ expiresAt }: { expiresAt: string }) {
  const { t, i18n } = useTranslation('share');
  return <p className={classes.until}>{t('until', { time: formatsFor(i18n.language).dateTime(expiresAt) })}</p>;
}
