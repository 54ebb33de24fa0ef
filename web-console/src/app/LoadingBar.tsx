import { useTranslation } from 'react-i18next';
import classes from './LoadingBar.module.css';

/** Shown while a screen's code is on its way. */
export function LoadingBar() {
  const { t } = useTranslation(undefined, { useSuspense: false });
  return <div className={classes.bar} role="progressbar" aria-label={t('state.loading')} />;
}
