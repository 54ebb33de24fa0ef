import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectConnection } from '@/live/connectionSlice';
import { live } from '@/live/live';
import { useCanWatchLive } from '@/live/useLiveSession';
import classes from './ConnectionBar.module.css';

/** Whether the map is live, and what to do when it is not. */
export function ConnectionBar() {
  const { t } = useTranslation('maps');
  const { state, problem } = useSelector(selectConnection);
  const connected = state === 'connected';
  if (!useCanWatchLive()) {
    return (
      <div className={classes.bar} data-testid="connection" data-state="forbidden">
        <span className={classes.text}>{t('connection.forbidden')}</span>
      </div>
    );
  }
  return (
    <div className={classes.bar} data-testid="connection" data-state={state}>
      <span className={classes.mark} aria-hidden="true" />
      <span className={classes.text} role="status">
        {t(`connection.${state}`)}
        {problem && !connected && <span className={classes.problem}>{t(`connection.problem.${problem}`)}</span>}
      </span>
      {!connected && state !== 'connecting' && (
        <Button size="compact-sm" variant="default" onClick={() => live.reconnect()}>
          {t('connection.reconnect')}
        </Button>
      )}
    </div>
  );
}
