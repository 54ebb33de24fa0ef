import type { TrackSegment } from '@/api/generated';
import type { LatLng } from '@/map/FleetMap';
import type { TrackMark } from '@/map/PlaybackMap';
import { DOUBTS_MAX, doubtsOf, type Doubt } from './doubts';
import type { Span } from './track/clock';
import { indexAt, type Track } from './track/track';

/** How long it took, seconds. */
export const secondsOf = ({ from, to }: TrackSegment): number => (Date.parse(to) - Date.parse(from)) / 1_000;

/** How many, metres, and seconds. */
export function totalsOf(segments: readonly TrackSegment[]) {
  const sum = (of: (segment: TrackSegment) => number) => segments.reduce((all, segment) => all + of(segment), 0);
  return {
    trips: segments.filter(({ kind }) => kind === 'trip').length,
    stops: segments.filter(({ kind }) => kind === 'stop').length,
    distance: sum(({ distance }) => distance),
    moving: sum(({ moving_seconds: moving }) => moving),
    idle: sum(({ idle_seconds: idle }) => idle),
  };
}

/** When nothing happens: a stop, or a time without data. */
export const quietSpans = (segments: readonly TrackSegment[]): Span[] =>
  segments
    .filter(({ kind, ongoing }) => kind !== 'trip' && !ongoing)
    .map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));

/** Marks behind which fixes of a track nothing is known: the server tells it by the thresholds of the vehicle. */
export function markGaps(track: Track, segments: readonly TrackSegment[]): void {
  const indexOf = (time: string) => Math.max(0, indexAt(track, Date.parse(time)));
  for (const { kind, from, to } of segments) {
    if (kind === 'no_data') track.gapAfter.fill(1, indexOf(from), indexOf(to));
  }
}

interface MarkTexts {
  stop: (segment: TrackSegment) => string;
  alarm: (alarm: string, at: number) => string;
  begin: (at: number) => string;
  end: (at: number) => string;
  doubt: (doubt: Doubt) => string;
}

/** Marks of a track: where it begins and ends, stops, alarms, and fixes that cannot be believed, where they were reported. */
export function marksOf(id: string, track: Track, segments: readonly TrackSegment[], texts: MarkTexts): TrackMark[] {
  const last = track.time.length - 1;
  if (last < 0) return [];
  const place = (index: number) => ({
    lat: track.lat[index] ?? 0,
    lng: track.lng[index] ?? 0,
    at: track.time[index] ?? 0,
  });
  const stops = segments
    .filter(({ kind }) => kind === 'stop')
    .map((segment): TrackMark => {
      const { from, start_lat: lat, start_lng: lng } = segment;
      return {
        key: `${id} ${from}`,
        lat,
        lng,
        at: Date.parse(from),
        sign: 'P',
        tone: 'stop',
        title: texts.stop(segment),
      };
    });
  const alarms = track.alarms.map(({ index, alarm }): TrackMark => {
    const there = place(index);
    return { key: `${id} alarm ${index}`, ...there, sign: '!', tone: 'alarm', title: texts.alarm(alarm, there.at) };
  });
  const doubts = doubtsOf(track)
    .slice(-DOUBTS_MAX)
    .map((doubt): TrackMark => {
      const { lat, lng, at } = doubt;
      return { key: `${id} doubt ${at}`, lat, lng, at, sign: '?', tone: 'doubt', title: texts.doubt(doubt) };
    });
  const [begin, end] = [place(0), place(last)];
  return [
    ...doubts,
    ...stops,
    { key: `${id} begin`, ...begin, sign: 'A', tone: 'end', title: texts.begin(begin.at) },
    { key: `${id} end`, ...end, sign: 'B', tone: 'end', title: texts.end(end.at) },
    ...alarms,
  ];
}

/** South-west and north-east of what tracks show between two instants; null of nothing. */
export function areaOf(tracks: readonly Track[], span?: Span): [LatLng, LatLng] | null {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const track of tracks) {
    const first = span ? Math.max(0, indexAt(track, span.from)) : 0;
    const last = span ? indexAt(track, span.to) : track.time.length - 1;
    for (let index = first; index <= last; index++) {
      const [lat, lng] = [track.lat[index] ?? NaN, track.lng[index] ?? NaN];
      if (lat < south) south = lat;
      if (lat > north) north = lat;
      if (lng < west) west = lng;
      if (lng > east) east = lng;
    }
  }
  return south === Infinity
    ? null
    : [
        [south, west],
        [north, east],
      ];
}
