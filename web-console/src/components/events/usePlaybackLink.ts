import { useSelector } from 'react-redux';
import type { EventEntry } from '@/api/generated';
import { playbackPath } from '@/lib/address';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';

/** Of these there is something to see on the road; papers and maintenance begin with a day. */
const ON_THE_ROAD = ['alarm', 'device', 'fuel', 'vehicle'];

/** Where an event is seen in the playback of its vehicle; nothing where it is not, or for who may not see the past. */
export function usePlaybackLink(): (
  event: Pick<EventEntry, 'kind' | 'device_id' | 'occurred_at'>,
) => string | undefined {
  const maySee = can('position:history', useSelector(selectPerson));
  const timeZone = useSelector(selectTimeZone);
  return ({ kind, device_id: deviceId, occurred_at: at }) =>
    maySee && deviceId && ON_THE_ROAD.includes(kind.split('.')[0] ?? '')
      ? playbackPath(deviceId, at, timeZone)
      : undefined;
}
