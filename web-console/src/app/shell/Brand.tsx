import { useTranslation } from 'react-i18next';
import classes from './Sidebar.module.css';

/** The mark and, where there is room, the name. */
export function Brand({ compact }: { compact: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={classes.brand}>
      <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
        <rect width={32} height={32} rx={8} className={classes.brandTile} />
        <path d="M16 5.5 24.5 25 16 20.6 7.5 25Z" fill="#fff" />
      </svg>
      {!compact && (
        <span className={classes.brandName}>
          Armada
          <span className={classes.brandTitle}>{t('nav.title')}</span>
        </span>
      )}
    </div>
  );
}
