import { describe, expect, it } from 'vitest';
import sample from './columns.sample.bin?inline';
import { decodeColumns } from './columns';
import { Fleet } from './fleet';

/** Written by the server's encoder: `services/bff/src/live/rows.rs`. */
const SAMPLE = Uint8Array.from(atob(sample.slice(sample.indexOf(',') + 1)), (char) => char.charCodeAt(0));

describe('decodeColumns', () => {
  it('reads what the server writes', () => {
    const { sequence, catalogue, positions, more } = decodeColumns(SAMPLE);
    expect({ sequence, more }).toEqual({ sequence: 3, more: false });
    expect(catalogue).toEqual({
      reset: true,
      complete: true,
      index: [1, 300],
      deviceId: ['018f2a3b-4c5d-7e6f-8000-000000000001', '018f2a3b-4c5d-7e6f-8000-000000000002'],
      imei: [490_154_203_237_518, 2 ** 64],
      id: ['TK103-12345678'],
      name: ['Truk Semarang', '雅加达 7'],
      vehicleCode: ['B 1234 XY', ''],
      driver: ['', 'Siti'],
      iconType: [4, 0],
      gone: [7],
      inactive: [300],
      aged: [],
      staleSeconds: [],
      offlineSeconds: [],
      alarmed: [300, 300],
      alarmKind: ['alarm.sos', 'alarm.door'],
      alarmSince: [1_699_998_000_000, 1_699_997_000_000],
    });
    expect(positions).toMatchObject({
      index: [1, 300],
      recordedAt: [1_700_000_000_250, 1_699_999_000_000],
      lat: Int32Array.of(-61_753_924, 35_951_960),
      lng: Int32Array.of(1_068_271_530, -986_722_230),
      speed: [424],
      course: [2_700],
      alarm: ['sos'],
    });
  });

  it('gives each value to the vehicle that it is of', () => {
    const columns = decodeColumns(SAMPLE);
    const fleet = new Fleet();
    if (columns.catalogue) fleet.list({ ...columns.catalogue, gone: [] });
    if (columns.positions) fleet.move(columns.positions, 0, () => undefined);
    const [driving, parked] = [fleet.device(0, 1_700_000_000_250), fleet.device(1, 1_699_999_000_000)];
    expect(driving).toMatchObject({
      name: 'Truk Semarang',
      vehicleCode: 'B 1234 XY',
      iconType: 'truck',
      state: 'moving',
    });
    expect(driving.position).toEqual({
      deviceId: driving.id,
      recordedAt: 1_700_000_000_250,
      lat: -6.1753924,
      lng: 106.827153,
      speed: 42.4,
      course: 270,
      motion: 'moving',
      motionSince: 1_699_999_940_250,
      ignition: true,
      alarm: null,
      battery: null,
      charging: null,
      satellites: 11,
      odometer: 123_457,
      fuelPercent: 71,
      fuelLitres: 142.3,
      today: { until: 1_700_067_600_000, distance: 42_195, engine: 5_400, moving: 3_600, idle: 1_801, parked: 13_400 },
    });
    expect(parked.position?.today).toBeUndefined();
    expect(parked.position?.fuelLitres).toBeUndefined();
    expect(parked).toMatchObject({
      driver: 'Siti',
      iconType: 'unspecified',
      state: 'alarm',
      alarms: [
        { kind: 'alarm.sos', since: 1_699_998_000_000 },
        { kind: 'alarm.door', since: 1_699_997_000_000 },
      ],
    });
    expect(parked.position).toMatchObject({
      speed: 0,
      course: null,
      motion: 'parked',
      motionSince: null,
      ignition: false,
      charging: true,
      battery: 87,
      fuelPercent: 33,
      satellites: null,
    });
  });

  it('refuses what is cut off', () => {
    for (const length of [1, 5, 40, SAMPLE.length - 1]) {
      expect(() => decodeColumns(SAMPLE.subarray(0, length))).toThrow(RangeError);
    }
  });

  it('passes over fields of a later version', () => {
    const later = new Uint8Array([...SAMPLE, 0x78, 0x05, 0x7a, 0x02, 1, 2]);
    expect(decodeColumns(later)).toEqual(decodeColumns(SAMPLE));
  });
});
