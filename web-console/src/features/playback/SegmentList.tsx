import { UnstyledButton } from '@mantine/core';
import { IconParking, IconQuestionMark, IconRoute } from '@tabler/icons-react';
import { Fragment, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { TrackSegment } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { byDay } from '@/lib/byDay';
import { selectTimeZone } from '@/session/sessionSlice';
import type { PlaybackClock } from './track/clock';
import { secondsOf, totalsOf } from './segments';
import { useSegmentAt } from './useClock';
import classes from './Playback.module.css';

interface SegmentListProps {
  segments: readonly TrackSegment[];
  clock: PlaybackClock;
  onChoose: (segment: TrackSegment) => void;
}

/** Trips and stops, day by day. */
export function SegmentList({ segments, clock, onChoose }: SegmentListProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const present = segments[useSegmentAt(clock, segments)];
  const days = useMemo(
    () => [...byDay(segments, ({ from }) => dayOf(Date.parse(from), timeZone))],
    [segments, timeZone],
  );
  return (
    <div className={classes.segments}>
      <Totals segments={segments} />
      {days.map(([day, ofDay]) => {
        const { trips, distance } = totalsOf(ofDay);
        return (
          <Fragment key={day}>
            {days.length > 1 && (
              <h2 className={classes.day}>
                <span>{formats.date(ofDay[0]?.from ?? day)}</span>
                <span className="tabular">
                  {t('day', { count: trips, formatted: formats.number(trips), distance: formats.distance(distance) })}
                </span>
              </h2>
            )}
            <ol className={classes.list}>
              {ofDay.map((segment) => (
                <li key={segment.from}>
                  <Item segment={segment} current={segment === present} onChoose={onChoose} />
                </li>
              ))}
            </ol>
          </Fragment>
        );
      })}
    </div>
  );
}

/** All in all. */
function Totals({ segments }: { segments: readonly TrackSegment[] }) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { trips, stops, distance, moving, idle } = totalsOf(segments);
  const figures = [
    [t('total.distance'), formats.distance(distance)],
    [t('total.trips'), formats.number(trips)],
    [t('total.stops'), formats.number(stops)],
    [t('total.moving'), formats.duration(moving)],
    [t('total.idle'), formats.duration(idle)],
  ] as const;
  return (
    <dl className={classes.totals}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHAPES = { trip: IconRoute, stop: IconParking, no_data: IconQuestionMark, unspecified: IconQuestionMark };

interface ItemProps {
  segment: TrackSegment;
  current: boolean;
  onChoose: (segment: TrackSegment) => void;
}

function Item({ segment, current, onChoose }: ItemProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { kind, from, to, ongoing } = segment;
  const Shape = SHAPES[kind];
  const length = formats.duration(secondsOf(segment));
  return (
    <UnstyledButton
      className={classes.segment}
      data-kind={kind}
      aria-current={current || undefined}
      onClick={() => onChoose(segment)}
    >
      <Shape size={18} aria-hidden="true" className={classes.shape} />
      <span className={classes.what}>
        <span className={classes.kind}>{t(`kind.${kind}`)}</span>
        <span className="tabular">
          {formats.time(from)} – {ongoing ? t('ongoing', { time: formats.time(to) }) : formats.time(to)}
        </span>
        <span className={classes.more}>
          <More segment={segment} length={length} />
        </span>
        <Where segment={segment} />
      </span>
    </UnstyledButton>
  );
}

/** Where a stop is, and from where to where a trip went. Of a time without data nobody knows it. */
function Where({ segment }: { segment: TrackSegment }) {
  const { t } = useTranslation('playback');
  const { kind, start_lat: lat, start_lng: lng, end_lat: endLat, end_lng: endLng } = segment;
  if (kind === 'stop') {
    return (
      <span className={classes.more}>
        <Address lat={lat} lng={lng} />
      </span>
    );
  }
  if (kind !== 'trip') return null;
  return (
    <span className={classes.where}>
      <span>{t('where.from')}</span>
      <Address lat={lat} lng={lng} />
      <span>{t('where.to')}</span>
      <Address lat={endLat} lng={endLng} />
    </span>
  );
}

function More({ segment, length }: { segment: TrackSegment; length: string }) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const { kind, distance, moving_seconds: moving, idle_seconds: idle, max_speed: fastest } = segment;
  if (kind !== 'trip') return idle > 0 ? t('stopIdle', { length, idle: formats.duration(idle) }) : length;
  const average = moving > 0 ? (distance / moving) * 3.6 : 0;
  const speeds = [t('average', { speed: formats.speed(average) })];
  if (fastest !== undefined) speeds.push(t('fastest', { speed: formats.speed(fastest) }));
  return [length, formats.distance(distance), ...speeds].join(' · ');
}
