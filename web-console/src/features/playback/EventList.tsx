import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { Fragment, memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { EventMark } from '@/components/events/EventMark';
import { dayOf } from '@/i18n/timeZone';
import { useEventTexts } from '@/i18n/useEventTexts';
import { useFormats } from '@/i18n/useFormats';
import { byDay } from '@/lib/byDay';
import { selectTimeZone } from '@/session/sessionSlice';
import { EventKindMenu } from './EventKindMenu';
import type { MarkedEvent } from './events';
import own from './Events.module.css';
import classes from './Playback.module.css';
import type { PlaybackClock } from './track/clock';
import { useLastPassedIndex } from './useClock';
import { EVENTS_MAX, type PlaybackEvents } from './usePlaybackEvents';

interface EventListProps {
  events: PlaybackEvents;
  clock: PlaybackClock;
  /** The same each time, or every row is drawn anew. */
  onChoose: (event: MarkedEvent) => void;
}

/** What happened to a vehicle, day by day. */
export function EventList({ events, clock, onChoose }: EventListProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { ofActive, kinds, failed, loading, cutOff } = events;
  const days = useDays(ofActive);
  const times = useMemo(() => ofActive.map(({ at }) => at), [ofActive]);
  const present = ofActive[useLastPassedIndex(clock, times)];
  if (loading && kinds.length === 0) return <Skeleton height={240} />;
  return (
    <div className={classes.segments}>
      {kinds.length > 0 && <EventKindMenu {...events} />}
      {cutOff && <p className={own.note}>{t('events.newest', { formatted: formats.number(EVENTS_MAX) })}</p>}
      {ofActive.length === 0 && !failed && !loading && (
        <Text c="dimmed">{t(kinds.length === 0 ? 'events.none' : 'events.noneShown')}</Text>
      )}
      {days.map(([day, rows]) => (
        <Fragment key={day}>
          {days.length > 1 && <h2 className={classes.day}>{formats.date(rows[0]?.marked.at ?? day)}</h2>}
          <ol className={classes.list}>
            {rows.map((row) => (
              <li key={row.marked.event.id} className={own.item}>
                <Item row={row} current={row.marked === present} onChoose={onChoose} />
              </li>
            ))}
          </ol>
        </Fragment>
      ))}
    </div>
  );
}

interface EventRow {
  marked: MarkedEvent;
  name: string;
  summary: string;
  time: string;
}

/** The events in words, once for as long as they stay the same: there may be thousands. */
function useDays(events: readonly MarkedEvent[]): [string, EventRow[]][] {
  const { nameOf, summaryOf } = useEventTexts();
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  return useMemo(() => {
    const rows = events.map((marked): EventRow => {
      const { event, at } = marked;
      return { marked, name: nameOf(event.kind), summary: summaryOf(event), time: formats.time(at) };
    });
    return [...byDay(rows, ({ marked }) => dayOf(marked.at, timeZone))];
  }, [events, nameOf, summaryOf, formats, timeZone]);
}

interface ItemProps {
  row: EventRow;
  current: boolean;
  onChoose: (event: MarkedEvent) => void;
}

const Item = memo(function Item({ row, current, onChoose }: ItemProps) {
  const { marked, name, summary, time } = row;
  return (
    <UnstyledButton className={classes.segment} aria-current={current || undefined} onClick={() => onChoose(marked)}>
      <span className={classes.shape}>
        <EventMark kind={marked.event.kind} />
      </span>
      <span className={classes.what}>
        <span className={classes.kind}>{name}</span>
        <span className="tabular">{time}</span>
        {summary && <span className={classes.more}>{summary}</span>}
      </span>
    </UnstyledButton>
  );
});

/** Events could not be loaded; what else there is of the playback is there all the same. */
export function EventsFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation(['playback', 'common']);
  return (
    <p role="alert" className={own.failed}>
      {t('events.failed')}
      <Button variant="subtle" size="compact-sm" onClick={onRetry}>
        {t('common:action.retry')}
      </Button>
    </p>
  );
}
