import { describe, expect, it } from 'vitest';
import { decodeTrack, IncompleteTrack } from './decodeTrack';
import sample from './track.sample.bin?inline';

/** Written by the server's encoder: `libs/track/src/track_columns.rs`. */
const SAMPLE = Uint8Array.from(atob(sample.slice(sample.indexOf(',') + 1)), (char) => char.charCodeAt(0));

describe('decodeTrack', () => {
  it('reads what the server writes, in however many pieces', () => {
    const track = decodeTrack(SAMPLE);
    expect([...track.time]).toEqual([1_700_000_000_250, 1_700_000_010_000, 1_700_007_000_000, 1_700_007_010_000]);
    // The last one jumped: the vehicle stays where it was.
    expect([...track.lat]).toEqual([-6.1753924, -6.1754, 3.595196, 3.595196]);
    expect([...track.lng]).toEqual([106.827153, 106.827, -98.672223, -98.672223]);
    expect(track.doubted).toEqual([{ index: 3, mark: 'jump', lat: 4.595196, lng: -98.672223 }]);
    expect(track.speed[0]).toBeCloseTo(42.4);
    expect([...track.speed].map(Number.isNaN)).toEqual([false, true, false, true]);
    expect([track.course[0], track.fuelPercent[1], track.battery[2]]).toEqual([270, 81, 55]);
    expect(track.fuelLitres[0]).toBeCloseTo(40.5);
    expect([...track.motion]).toEqual([1, 2, 3, 3]);
    expect([...track.ignition]).toEqual([1, 1, 0, 0]);
    expect(track.alarms).toEqual([{ index: 1, alarm: 'sos' }]);
    expect(track.x[0]).toBeCloseTo((106.827153 + 180) / 360);
  });

  it('takes no part of a track for the whole', () => {
    // The last two bytes say that it is whole.
    expect(() => decodeTrack(SAMPLE.subarray(0, -2))).toThrow(IncompleteTrack);
    expect(() => decodeTrack(SAMPLE.subarray(0, 20))).toThrow(RangeError);
    expect(() => decodeTrack(new Uint8Array())).toThrow(IncompleteTrack);
  });
});
