import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Dashboard.module.css';
import { LiveNote } from './LiveNote';
import { Tile } from './Tile';
import { useLongestSilent } from './useLongestSilent';

const SHOWN = 5;

/** The vehicles in use that nobody has heard of for the longest: their trackers are worth a look. */
export function SilentTile() {
  return (
    <Tile tile="silent" more="/maps?states=offline">
      <SilentVehicles />
      <LiveNote />
    </Tile>
  );
}

function SilentVehicles() {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const vehicles = useLongestSilent(SHOWN);
  const mayOpen = mayDo('devices', 'list', useSelector(selectPerson));
  const pathOf = (id: string) =>
    mayOpen ? `/devices/${encodeURIComponent(id)}` : `/maps?device_id=${encodeURIComponent(id)}`;
  if (vehicles?.length === 0) return <Text c="dimmed">{t('silent.none')}</Text>;
  return (
    <ol className={classes.events} aria-label={t('tile.silent')} aria-busy={vehicles === null}>
      {vehicles === null &&
        Array.from({ length: SHOWN }, (_, place) => (
          <li key={place} className={classes.event}>
            <span className={classes.waiting} data-line />
          </li>
        ))}
      {vehicles?.map(({ id, name, recordedAt }) => (
        <li key={id}>
          <Link to={pathOf(id)} className={classes.event} data-link>
            <VehicleStateMark state="offline" />
            <span className={classes.eventText}>
              <span className={classes.line} data-cut>
                {name}
              </span>{' '}
              <span className={classes.line} data-dimmed data-cut>
                {t('silent.since', { time: formats.dateTime(recordedAt) })}
              </span>
            </span>{' '}
            <span className={classes.when}>
              <TimeAgo at={recordedAt} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
