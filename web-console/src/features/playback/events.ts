import type { EventEntry } from '@/api/generated';
import { eventTone } from '@/components/events/eventKinds';
import type { LatLng } from '@/map/FleetMap';
import type { EventPlace } from '@/map/eventPlaces';
import { VEHICLE_COLORS, type Scheme } from '@/theme/tokens';
import { areaOf } from './segments';
import type { Track } from './track/track';

/** How much an event asks, from the least to the most. */
const TONES: readonly ReturnType<typeof eventTone>[] = ['neutral', 'warning', 'critical'];
/** The vehicle states that have the colours of these tones. */
const COLORS = ['offline', 'idle', 'alarm'] as const;
/** Pixels of a mark that asks least; one that asks more is larger, so that its colour is not all that tells. */
const RADIUS = 5;
/** Events that are told of a place one by one; of the others, how many they are. */
const EVENTS_LISTED = 5;
/** Decimals of a degree that tell places apart: some ten metres, within which a tracker that stands is told to move. */
const PLACE_DIGITS = 4;

/** An event in the time of a playback. */
export interface PlayedEvent {
  event: EventEntry;
  /** Milliseconds since 1970. */
  at: number;
  /** How much it asks: the more, the higher. */
  rank: number;
}

/** An event as the map and the chart mark it. */
export interface MarkedEvent extends PlayedEvent {
  color: string;
  /** What it is called, what there is to say, and when; made when somebody points at it. */
  title: () => string;
}

/** The events of these pages in the order of time. One that came between two calls is in two pages, and is there once. */
export function playedEvents(pages: readonly ({ items?: EventEntry[] } | undefined)[]): PlayedEvent[] {
  const played = new Map<string, PlayedEvent>();
  for (const event of pages.flatMap((page) => page?.items ?? [])) {
    const rank = TONES.indexOf(eventTone(event.kind));
    played.set(event.id, { event, at: Date.parse(event.occurred_at), rank });
  }
  return [...played.values()].sort((one, other) => one.at - other.at);
}

/** The colour of what asks so much. */
export const rankColor = (rank: number, scheme: Scheme): string => VEHICLE_COLORS[scheme][COLORS[rank] ?? 'offline'];

/**
 * Where events happened, those last that ask most. Of several at one place the mark is of the one that asks most; `more` says
 * how many are not told one by one. Events of no place are in lists alone.
 */
export function placesOf(events: readonly MarkedEvent[], more: (count: number) => string): EventPlace[] {
  const places = new Map<string, MarkedEvent[]>();
  for (const marked of events) {
    const { lat, lng } = marked.event;
    if (lat === undefined || lng === undefined) continue;
    const key = `${lat.toFixed(PLACE_DIGITS)} ${lng.toFixed(PLACE_DIGITS)}`;
    const there = places.get(key);
    if (there) there.push(marked);
    else places.set(key, [marked]);
  }
  return [...places.values()]
    .map((there) => there.toSorted((one, other) => other.rank - one.rank))
    .sort(([one], [other]) => (one?.rank ?? 0) - (other?.rank ?? 0))
    .flatMap((there) => placeOf(there, more));
}

/** The place of events of which the first asks most. */
function placeOf(there: readonly MarkedEvent[], more: (count: number) => string): EventPlace[] {
  const [worst] = there;
  if (worst?.event.lat === undefined || worst.event.lng === undefined) return [];
  const { at, color, rank } = worst;
  const title = () => {
    const lines = there.slice(0, EVENTS_LISTED).map((marked) => marked.title());
    return [...lines, ...(there.length > EVENTS_LISTED ? [more(there.length - EVENTS_LISTED)] : [])].join('\n');
  };
  return [{ lat: worst.event.lat, lng: worst.event.lng, color, radius: RADIUS + rank, at, title }];
}

/** What the map shows of an event: its place, or where its vehicle was at the time. */
export function areaOfEvent({ event: { lat, lng }, at }: PlayedEvent, track: Track): [LatLng, LatLng] | null {
  if (lat === undefined || lng === undefined) return areaOf([track], { from: at, to: at });
  return [
    [lat, lng],
    [lat, lng],
  ];
}
