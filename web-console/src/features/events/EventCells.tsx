import { useSelector } from 'react-redux';
import type { EventEntry } from '@/api/generated';
import { Address } from '@/components/address/Address';
import { CellLink } from '@/components/CellLink';
import { EventMark } from '@/components/events/EventMark';
import { usePlaybackLink } from '@/components/events/usePlaybackLink';
import { useEventTexts } from '@/i18n/useEventTexts';
import { writePlace } from '@/lib/coordinates';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Events.module.css';

/** What happened, as a mark and a word. */
export function EventKind({ row: { kind } }: { row: EventEntry }) {
  const { nameOf } = useEventTexts();
  return (
    <span className={classes.kind}>
      <EventMark kind={kind} />
      <span data-cut>{nameOf(kind)}</span>
    </span>
  );
}

/** The same below the title of a drawer, which has said the word: the mark, the vehicle, and what was measured. */
export function EventSubtitle({ row: event }: { row: EventEntry }) {
  const { summaryOf } = useEventTexts();
  return (
    <span className={classes.kind}>
      <EventMark kind={event.kind} />
      {[event.device_name, summaryOf(event)].filter(Boolean).join(' · ')}
    </span>
  );
}

/** The vehicle, which leads to its page for who may see vehicles. */
export function EventVehicle({ event: { device_id: id, device_name: name } }: { event: EventEntry }) {
  const maySee = mayDo('devices', 'list', useSelector(selectPerson));
  return <CellLink to={id && maySee ? `/devices/${encodeURIComponent(id)}` : undefined}>{name}</CellLink>;
}

/** Where it happened, which leads to the playback of the vehicle at that moment. */
export function EventPlace({ event }: { event: EventEntry }) {
  const playback = usePlaybackLink()(event);
  if (event.lat === undefined || event.lng === undefined) return null;
  return (
    <CellLink to={playback} title={writePlace([event.lat, event.lng])}>
      <Address lat={event.lat} lng={event.lng} />
    </CellLink>
  );
}
