import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Dashboard.module.css';
import { countOf, eventsPath, GROUP_ABILITIES, GROUPS, useEventCounts, useToday, type Group } from './events';
import { Tile } from './Tile';

/** Of today, how many events there were of each kind that matters to a fleet. */
export function KindsTile() {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const day = useToday();
  const { currentData: summary, error, refetch } = useEventCounts(day);
  const groups = (Object.keys(GROUPS) as Group[]).filter((group) => {
    const ability = GROUP_ABILITIES[group];
    return !ability || can(ability, person);
  });
  if (!summary && error)
    return (
      <Tile tile="kinds">
        <ErrorState title={t('failed.kinds')} error={error} onRetry={() => void refetch()} />
      </Tile>
    );
  // What has not happened is not worth a line.
  const counts = groups
    .map((group) => ({ group, count: countOf(summary, GROUPS[group]) }))
    .filter(({ count }) => count !== 0);
  const most = Math.max(1, ...counts.map(({ count }) => count ?? 0));
  return (
    <Tile tile="kinds" more={eventsPath([], day)}>
      {counts.length === 0 && <Text c="dimmed">{t('kinds.none')}</Text>}
      <ul className={classes.bars} aria-label={t('tile.kinds')}>
        {counts.map(({ group, count }) => (
          <li key={group}>
            <Link to={eventsPath(GROUPS[group], day)} className={classes.bar} aria-busy={count === undefined}>
              <span className={classes.barName}>{t(`group.${group}`)}</span>{' '}
              <span className="tabular">
                {count === undefined ? <span className={classes.waiting} data-small /> : formats.number(count)}
              </span>
              <span className={classes.barTrack} aria-hidden="true">
                <span className={classes.barFill} style={{ width: `${(100 * (count ?? 0)) / most}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Tile>
  );
}
