import { describe, expect, it } from 'vitest';
import type { TrackSegment } from '@/api/generated';
import { NO_LINE } from '@/map/trackLine';
import { SERIES_COLORS, SPEED_COLORS, VEHICLE_COLORS } from '@/theme/tokens';
import { lineOf, speedStep } from './lines';
import { markGaps } from './segments';
import { newTrack } from './track/track';

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const segment = (kind: TrackSegment['kind'], from: number, to: number) =>
  ({ kind, from: at(from), to: at(to) }) as TrackSegment;

const LOOK = { scheme: 'light', limit: 0 } as const;

/** A fix every ten seconds. */
function track(length: number) {
  const made = newTrack(length);
  for (let index = 0; index < length; index++) made.time[index] = index * 10_000;
  return made;
}

describe('lineOf', () => {
  it('has a colour for each range of speeds', () => {
    expect([NaN, 0, 3, 19.9, 20, 79, 80, 300].map(speedStep)).toEqual([0, 0, 1, 1, 2, 4, 5, 5]);
    const made = track(3);
    made.speed.set([0, 50, 90]);
    expect([...lineOf(made, [], 'speed', LOOK).colour]).toEqual([0, 3, NO_LINE]);
  });

  it('has the colour of alarms for what is faster than it may, and for nothing else', () => {
    const made = track(5);
    made.speed.set([100, 101, NaN, 50]);
    const { colour, palette } = lineOf(made, [], 'speed', { scheme: 'light', limit: 100 });
    const red = VEHICLE_COLORS.light.alarm;
    expect([...colour].map((place) => palette[place] === red)).toEqual([false, true, false, false, false]);
    expect(SPEED_COLORS.light).not.toContain(red);
    expect(lineOf(made, [], 'speed', LOOK).colour).not.toContain(palette.indexOf(red));
  });

  it('shows trips in turn, and what is none in a colour of its own', () => {
    const none = SERIES_COLORS.light.length;
    const segments = [
      segment('stop', 0, 10),
      segment('trip', 10, 30),
      segment('stop', 30, 40),
      segment('trip', 40, 60),
    ];
    const { colour, palette } = lineOf(track(7), segments, 'trip', LOOK);
    expect([...colour]).toEqual([none, 0, 0, none, 1, 1, NO_LINE]);
    expect(palette).toHaveLength(none + 1);
  });

  it('shows what it did, or which vehicle it is', () => {
    const made = track(3);
    made.motion.set([1, 3, 2]);
    expect([...lineOf(made, [], 'state', { scheme: 'dark', limit: 0 }).colour]).toEqual([1, 3, NO_LINE]);
    const { colour, palette } = lineOf(made, [], { vehicle: 7 }, { scheme: 'dark', limit: 0 });
    expect([[...colour], palette]).toEqual([[0, 0, NO_LINE], [SERIES_COLORS.dark[1]]]);
  });

  it('draws nothing over a time of which nothing is known, however long it is', () => {
    const made = track(5);
    made.time.set([0, 86_400_000, 86_410_000, 87_010_000, 87_020_000]);
    const segments = [segment('stop', 0, 86_410), segment('no_data', 86_410, 87_010), segment('trip', 87_010, 87_020)];
    markGaps(made, segments);
    expect([...lineOf(made, segments, 'speed', LOOK).colour]).toEqual([0, 0, NO_LINE, 0, NO_LINE]);
  });
});
