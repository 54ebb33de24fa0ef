import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectConnection } from '@/live/connectionSlice';
import { live } from '@/live/live';
import classes from './Dashboard.module.css';

/** Says that what is shown is not of now, while the live connection is away, with a way to connect anew. */
export function LiveNote() {
  const { t } = useTranslation(['dashboard', 'maps']);
  const { state, problem } = useSelector(selectConnection);
  const away = state === 'error' || state === 'reconnecting' || problem !== null;
  if (!away) return null;
  return (
    <div className={classes.away}>
      <span>{t('away')}</span>
      <Button variant="default" size="compact-sm" onClick={() => live.reconnect()}>
        {t('maps:connection.reconnect')}
      </Button>
    </div>
  );
}
