import { describe, expect, it } from 'vitest';
import { indexAt, newTrack, placeAt, project, settleJumps, type Track } from './track';

/** Fixes at these seconds and places. */
function trackOf(...fixes: [second: number, lat: number, lng: number][]): Track {
  const track = newTrack(fixes.length);
  for (const [index, [second, lat, lng]] of fixes.entries()) {
    track.time[index] = second * 1_000;
    track.lat[index] = lat;
    track.lng[index] = lng;
  }
  project(track);
  return track;
}

describe('a track', () => {
  it('finds the last fix until an instant', () => {
    const track = trackOf([10, 0, 0], [20, 0, 1], [30, 0, 2]);
    expect([9_999, 10_000, 19_999, 20_000, 99_000].map((at) => indexAt(track, at))).toEqual([-1, 0, 0, 1, 2]);
    expect(indexAt(newTrack(0), 1)).toBe(-1);
  });

  it('tells where the vehicle was between two fixes', () => {
    const track = trackOf([0, 0, 100], [10, 2, 101]);
    expect(placeAt(track, 5_000)).toMatchObject({ lat: 1, lng: 100.5, index: 0 });
    expect(placeAt(track, -5)).toMatchObject({ lat: 0, lng: 100, index: 0 });
    expect(placeAt(track, 60_000)).toMatchObject({ lat: 2, lng: 101, index: 1 });
    expect(placeAt(newTrack(0), 0)).toBeNull();
  });

  it('does not go where a fix jumped', () => {
    const track = trackOf([0, 9, 9], [10, 0, 100], [20, 50, 50], [30, 0, 101]);
    const jump = (index: number) => ({ index, mark: 'jump' as const, lat: 9, lng: 9 });
    track.doubted = [jump(0), jump(2)];
    settleJumps(track);
    expect([...track.lat]).toEqual([0, 0, 0, 0]);
    expect([...track.lng]).toEqual([100, 100, 100, 101]);
    const unfixed = trackOf([0, 0, 100], [10, 5, 5]);
    settleJumps(unfixed, [1]);
    expect([...unfixed.lng]).toEqual([100, 100]);
    const lost = trackOf([0, 9, 9]);
    lost.doubted = [jump(0)];
    settleJumps(lost);
    expect([lost.lat[0], lost.lng[0]]).toEqual([9, 9]);
  });

  it('goes the shorter way around the earth', () => {
    const track = trackOf([0, 0, 179.5], [10, 0, -179.5]);
    expect(placeAt(track, 5_000)?.lng).toBeCloseTo(180);
  });

  it('stands where nothing is known', () => {
    const track = trackOf([0, 0, 100], [7_200, 2, 101]);
    expect(placeAt(track, 3_600_000)).toMatchObject({ lat: 1, lng: 100.5 });
    track.gapAfter[0] = 1;
    expect(placeAt(track, 3_600_000)).toMatchObject({ lat: 0, lng: 100 });
  });

  it('looks to where it goes when no course was told', () => {
    const track = trackOf([0, 0, 100], [10, 0, 101], [20, 0, 101]);
    expect(placeAt(track, 0)?.course).toBeCloseTo(90);
    expect(placeAt(track, 10_000)?.course).toBeNaN();
    track.course[0] = 12;
    expect(placeAt(track, 0)?.course).toBe(12);
  });
});
