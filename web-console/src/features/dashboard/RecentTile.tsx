import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { EventEntry } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { EventMark } from '@/components/events/EventMark';
import { TimeAgo } from '@/components/TimeAgo';
import { useEventTexts } from '@/i18n/useEventTexts';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Dashboard.module.css';
import { useNewestEvents } from './events';
import { Tile } from './Tile';

const SHOWN = 12;

/** What has happened lately, the newest first. */
export function RecentTile() {
  return (
    <Tile tile="recent" more="/events">
      <NewestEvents />
    </Tile>
  );
}

function NewestEvents() {
  const { t } = useTranslation('dashboard');
  const { currentData: data, error, refetch } = useNewestEvents(SHOWN);
  if (!data && error) return <ErrorState title={t('failed.recent')} error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <ul className={classes.events} aria-busy="true" aria-label={t('tile.recent')}>
        {Array.from({ length: SHOWN }, (_, place) => (
          <li key={place} className={classes.event}>
            <span className={classes.waiting} data-line />
          </li>
        ))}
      </ul>
    );
  if (data.items.length === 0) return <Text c="dimmed">{t('recent.empty')}</Text>;
  return (
    <ul className={classes.events} aria-label={t('tile.recent')}>
      {data.items.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventLine({ event }: { event: EventEntry }) {
  const { nameOf, summaryOf } = useEventTexts();
  const summary = summaryOf(event);
  return (
    <li className={classes.event}>
      <EventMark kind={event.kind} />
      <div className={classes.eventText}>
        <p className={classes.line} data-cut>
          {nameOf(event.kind)}
        </p>
        <p className={classes.line} data-dimmed data-cut>
          <VehicleName event={event} />
          {event.device_name && summary && ' · '}
          {summary}
        </p>
      </div>
      <span className={classes.when}>
        <TimeAgo at={event.occurred_at} />
      </span>
    </li>
  );
}

/** Leads to the vehicle, for those who may see it. */
function VehicleName({ event: { device_id: id, device_name: name } }: { event: EventEntry }) {
  const person = useSelector(selectPerson);
  if (!id || !mayDo('devices', 'list', person)) return name;
  return (
    <Anchor component={Link} to={`/devices/${encodeURIComponent(id)}`} size="xs" underline="always">
      {name}
    </Anchor>
  );
}
