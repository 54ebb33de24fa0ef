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
  const isSilent = problem === 'silent';
  const isLive = state === 'connected' && !isSilent;
  if (!useCanWatchLive()) {
    return (
      <div className={classes.bar} data-testid="connection" data-state="forbidden">
        <span className={classes.text}>{t('connection.forbidden')}</span>
      </div>
    );
  }
  return (
    <div className={classes.bar} data-testid="connection" data-state={state} data-silent={isSilent || undefined}>
      <span className={classes.mark} aria-hidden="true" />
      <span className={classes.text} role="status">
        {isSilent ? t('fact.silent') : t(`connection.${state}`)}
        {problem && !isLive && <span className={classes.problem}>{t(`connection.problem.${problem}`)}</span>}
      </span>
      {!isLive && state !== 'connecting' && (
        <Button size="compact-sm" variant="default" onClick={() => live.reconnect()}>
          {t('connection.reconnect')}
        </Button>
      )}
    </div>
  );
}
