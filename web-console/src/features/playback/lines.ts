import type { TrackSegment } from '@/api/generated';
import { NO_LINE, type DrawnTrack } from '@/map/trackLine';
import { SERIES_COLORS, SPEED_COLORS, VEHICLE_COLORS, type Scheme } from '@/theme/tokens';
import { MOTIONS, type Track } from './track/track';
import type { Colouring } from './usePlaybackAddress';

/** Where the colours of speeds change, km/h: below the first it stands. */
export const SPEED_STEPS = [3, 20, 40, 60, 80] as const;

/** By what colours are chosen. */
interface LineLook {
  scheme: Scheme;
  /** How fast the vehicle may go, km/h; 0 for any speed. */
  limit: number;
}

/** The line of a vehicle in the colours that were chosen; of several vehicles each has one of its own. */
export function lineOf(
  track: Track,
  segments: readonly TrackSegment[],
  colouring: Colouring | { vehicle: number },
  look: LineLook,
): DrawnTrack {
  const length = track.time.length;
  const colour = new Uint8Array(length).fill(NO_LINE);
  const [palette, colourOf] = colours(track, segments, colouring, look);
  for (let index = 0; index + 1 < length; index++) {
    if (!track.gapAfter[index]) colour[index] = colourOf(index);
  }
  return { x: track.x, y: track.y, colour, palette };
}

type ColourOf = (index: number) => number;

function colours(
  track: Track,
  segments: readonly TrackSegment[],
  colouring: Colouring | { vehicle: number },
  { scheme, limit }: LineLook,
): [readonly string[], ColourOf] {
  if (typeof colouring === 'object') return [[seriesColor(colouring.vehicle, scheme)], () => 0];
  if (colouring === 'speed') return bySpeed(track, { scheme, limit });
  if (colouring === 'state') {
    const states = VEHICLE_COLORS[scheme];
    const palette = MOTIONS.map((motion) => (motion === 'unspecified' ? states.no_data : states[motion]));
    return [palette, (index) => track.motion[index] ?? 0];
  }
  return [[...SERIES_COLORS[scheme], VEHICLE_COLORS[scheme].no_data], byTrip(track, segments, scheme)];
}

/** Faster than it may is in the colour of alarms, which nothing else has. */
function bySpeed({ speed }: Track, { scheme, limit }: LineLook): [readonly string[], ColourOf] {
  const steps = SPEED_COLORS[scheme];
  const most = limit > 0 ? limit : Infinity;
  const colourOf = (index: number) => {
    const told = speed[index] ?? NaN;
    return told > most ? steps.length : speedStep(told);
  };
  return [[...steps, VEHICLE_COLORS[scheme].alarm], colourOf];
}

/** The place of the colour of a speed. One that is not told is shown as standing. Asked for each fix: it makes nothing. */
export function speedStep(speed: number): number {
  let place = 0;
  while (place < SPEED_STEPS.length && speed >= (SPEED_STEPS[place] ?? Infinity)) place += 1;
  return place;
}

/** The colour of a vehicle among several. */
export function seriesColor(place: number, scheme: Scheme): string {
  const series = SERIES_COLORS[scheme];
  return series[place % series.length] ?? '';
}

/** Each trip in the next colour; what is no trip in the last. Asked for ascending fixes. */
function byTrip(track: Track, segments: readonly TrackSegment[], scheme: Scheme): ColourOf {
  const series = SERIES_COLORS[scheme].length;
  const trips = segments
    .filter(({ kind }) => kind === 'trip')
    .map(({ from, to }) => [Date.parse(from), Date.parse(to)]);
  let trip = 0;
  return (index) => {
    const at = track.time[index] ?? 0;
    while (trip < trips.length && at >= (trips[trip]?.[1] ?? 0)) trip += 1;
    return at >= (trips[trip]?.[0] ?? Infinity) ? trip % series : series;
  };
}
