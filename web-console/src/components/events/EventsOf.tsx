import { ActionIcon, Anchor, Skeleton, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListEventsQuery } from '@/api/calls/events';
import type { EventEntry } from '@/api/generated';
import list from '@/components/DrivingHistory.module.css';
import { ErrorState } from '@/components/ErrorState';
import { dayOf } from '@/i18n/timeZone';
import { useEventTexts } from '@/i18n/useEventTexts';
import { useFormats } from '@/i18n/useFormats';
import { byDay } from '@/lib/byDay';
import { useStackedDrawers } from '@/lib/drawerParam';
import { selectTimeZone } from '@/session/sessionSlice';
import { eventKey } from './eventKey';
import { EventMark } from './EventMark';
import classes from './EventsOf.module.css';
import { usePlaybackLink } from './usePlaybackLink';

/** So many stand here; the others in the list of all events. */
const SHOWN = 10;

/** The last things that happened to a vehicle, day by day, and where each is seen in its playback. */
export function EventsOf({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('events');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const query = useListEventsQuery(
    { deviceId: [deviceId], sort: '-occurred_at', page: 1, pageSize: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  if (!data && error) return <ErrorState title={t('of.failed')} error={error} onRetry={() => void query.refetch()} />;
  if (!data) return <Skeleton height={60} aria-busy="true" />;
  if (data.total === 0) return <Text c="dimmed">{t('of.none')}</Text>;
  const days = [...byDay(data.items, ({ occurred_at: at }) => dayOf(Date.parse(at), timeZone))];
  return (
    <>
      {days.map(([day, events]) => (
        <section key={day} className={classes.day} aria-label={formats.date(day)}>
          <h2 className={classes.heading}>{formats.date(day)}</h2>
          <ul className={list.list}>
            {events.map((event) => (
              <Line key={event.id} event={event} />
            ))}
          </ul>
        </section>
      ))}
      <Anchor component={Link} to={`/events?device_id=${encodeURIComponent(deviceId)}`} size="sm">
        {t('of.all')}
      </Anchor>
    </>
  );
}

function Line({ event }: { event: EventEntry }) {
  const { t } = useTranslation('events');
  const formats = useFormats();
  const { nameOf, summaryOf } = useEventTexts();
  const { open } = useStackedDrawers();
  const playback = usePlaybackLink()(event);
  const name = nameOf(event.kind);
  const time = formats.hour(event.occurred_at);
  return (
    <li className={`${list.assignment} ${classes.event}`}>
      <div className={classes.said}>
        <span className={list.name}>
          <EventMark kind={event.kind} />
          <Anchor component="button" type="button" ta="start" onClick={() => open('events', eventKey(event))}>
            {name}
          </Anchor>
        </span>
        <Text size="sm" c="dimmed" className="tabular">
          {[time, summaryOf(event)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {playback && (
        <ActionIcon
          component={Link}
          to={playback}
          variant="subtle"
          aria-label={t('playbackOf', { name, time })}
          title={t('playbackOf', { name, time })}
        >
          <IconPlayerPlay size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </li>
  );
}
