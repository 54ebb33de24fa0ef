import { describe, expect, it } from 'vitest';
import { decodeTrack, IncompleteTrack, TrackReader } from './decodeTrack';
import sample from './track.sample.bin?inline';

/** Written by the server's encoder: `libs/track/src/codec/track_columns.rs`. */
const SAMPLE = Uint8Array.from(atob(sample.slice(sample.indexOf(',') + 1)), (char) => char.charCodeAt(0));

describe('decodeTrack', () => {
  it('reads what the server writes, in however many pieces', () => {
    const track = decodeTrack(SAMPLE);
    expect([...track.time]).toEqual([1_700_000_000_250, 1_700_000_010_000, 1_700_007_000_000, 1_700_007_010_000]);
    // The second one has no fix, and the last one jumped: the vehicle stays where it was.
    expect([...track.lat]).toEqual([-6.1753924, -6.1753924, 3.595196, 3.595196]);
    expect([...track.lng]).toEqual([106.827153, 106.827153, -98.672223, -98.672223]);
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

  it('reads a body that comes in parts, wherever these end', () => {
    for (const size of [1, 7, 50]) {
      const reader = new TrackReader();
      for (let at = 0; at < SAMPLE.length; at += size) reader.push(SAMPLE.subarray(at, at + size));
      expect(reader.end()).toEqual(decodeTrack(SAMPLE));
    }
  });

  it('has room for however many fixes', () => {
    const length = 40_000;
    // Each a millisecond, and as many units of a degree, after the one before.
    const column = (field: number, value: number) => [
      (field << 3) | 2,
      (length & 0x7f) | 0x80,
      ((length >> 7) & 0x7f) | 0x80,
      length >> 14,
      ...new Uint8Array(length).fill(value),
    ];
    const track = decodeTrack(
      Uint8Array.from([...column(1, 2), ...column(2, 2), ...column(3, 1), ...column(4, 3), 11 << 3, 1]),
    );
    expect(track.time).toHaveLength(length);
    expect([track.time[length - 1], track.lat[length - 1], track.lng[length - 1]]).toEqual([40_000, 0.004, -0.004]);
    expect(track.motion.every((motion) => motion === 3)).toBe(true);
  });

  it('takes no part of a track for the whole', () => {
    // The last two bytes say that it is whole.
    expect(() => decodeTrack(SAMPLE.subarray(0, -2))).toThrow(IncompleteTrack);
    expect(() => decodeTrack(SAMPLE.subarray(0, 20))).toThrow(RangeError);
    expect(() => decodeTrack(new Uint8Array())).toThrow(IncompleteTrack);
  });
});
