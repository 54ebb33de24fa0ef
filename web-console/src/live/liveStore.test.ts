import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveStore, countStates } from './liveStore';
import { fromLastPosition, positionIn, type PositionChange } from './position';
import { OFFLINE_AFTER_MS, vehicleState } from './vehicleState';

const T = Date.parse('2026-11-21T10:00:00Z');
const change = (deviceId: string, recordedAt: number, lat = -6.2): PositionChange => ({
  deviceId,
  recordedAt,
  lat,
  lng: 106.8,
  motion: 'moving',
  speed: 40,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('LiveStore', () => {
  it('keeps the newest and ignores what is older', () => {
    const store = new LiveStore();
    expect(store.apply(change('a', T, 1))).toBe(true);
    expect(store.apply(change('a', T - 1, 2))).toBe(false);
    expect(store.apply(change('a', T + 1, 3))).toBe(true);
    expect(store.get('a')?.lat).toBe(3);
  });

  it('lets a push win over a snapshot that came later but is older', () => {
    const store = new LiveStore();
    store.apply(change('a', T + 5_000, 2));
    const snapshot = fromLastPosition({ device_id: 'a', recorded_at: new Date(T).toISOString(), lat: 1, lng: 1 });
    expect(snapshot && store.apply(snapshot)).toBe(false);
    expect(store.get('a')?.lat).toBe(2);
  });

  it('keeps what a change does not speak of', () => {
    const store = new LiveStore();
    store.apply({ ...change('a', T), battery: 80 });
    const moved = positionIn({
      type: 'device_location',
      payload: { device_id: 'a', latitude: 1, longitude: 2, speed: 9, device_time: new Date(T + 1).toISOString() },
    });
    expect(moved && store.apply(moved)).toBe(true);
    expect(store.get('a')).toMatchObject({ lat: 1, speed: 9, battery: 80, motion: 'moving' });
  });

  it('tells its readers at most four times a second, and the map ten times', () => {
    const store = new LiveStore();
    const listener = vi.fn();
    const batches: number[] = [];
    store.subscribe(listener);
    store.feed((batch) => batches.push(batch.length));
    for (let ms = 0; ms < 1_000; ms += 10) {
      store.apply(change('a', T + ms));
      vi.advanceTimersByTime(10);
    }
    expect(listener.mock.calls.length).toBeLessThanOrEqual(4);
    expect(listener.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(batches.length).toBeGreaterThanOrEqual(9);
    expect(batches.every((size) => size === 1)).toBe(true);
  });

  it('hands over everything that is left after something was forgotten', () => {
    const store = new LiveStore();
    store.apply(change('a', T));
    store.apply(change('b', T));
    vi.advanceTimersByTime(1_000);
    const feed = vi.fn();
    store.feed(feed);
    store.forget('a');
    vi.advanceTimersByTime(1_000);
    expect(feed).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ deviceId: 'b' })], true);
  });

  it('counts states, vehicles without a position among them', () => {
    const store = new LiveStore();
    store.apply(change('a', T));
    store.apply(change('b', T - OFFLINE_AFTER_MS - 1));
    expect(countStates(store, ['a', 'b', 'c'], T)).toMatchObject({ moving: 1, offline: 1, no_data: 1, parked: 0 });
  });
});

describe('live messages', () => {
  const position = { device_id: 'a', recorded_at: '2026-11-21T10:00:00Z', lat: 1, lng: 2 };

  it.each([
    ['no device id', { ...position, device_id: '' }],
    ['a latitude in words', { ...position, lat: '1' }],
    ['a longitude that is no number', { ...position, lng: Number.NaN }],
    ['no longitude', { ...position, lng: undefined }],
    ['no time', { ...position, recorded_at: 'yesterday' }],
    ['nothing', null],
  ])('ignores a position with %s', (_what, wrong) => {
    expect(positionIn({ type: 'position', position: wrong })).toBeNull();
  });

  it('reads a device update with the names of the specification', () => {
    const update = positionIn({
      type: 'device_update',
      payload: {
        id: 'a',
        latitude: 1,
        longitude: 2,
        speed: 3,
        heading: 90,
        device_time: '2026-11-21T10:00:00Z',
        status: { movement: 'idle', alarm: 'sos', battery_percent: 55 },
      },
    });
    expect(update).toMatchObject({ deviceId: 'a', course: 90, motion: 'idle', alarm: 'sos', battery: 55 });
  });

  it('ignores messages of other kinds', () => {
    expect(positionIn({ type: 'notification', payload: position })).toBeNull();
  });
});

describe('vehicleState', () => {
  const at = (fields: object) => ({ ...fromLastPosition({ device_id: 'a', recorded_at: new Date(T).toISOString(), lat: 1, lng: 2 }), ...fields }) as never;

  it.each([
    ['no position', undefined, 0, 'no_data'],
    ['ten minutes of silence', at({ motion: 'moving' }), OFFLINE_AFTER_MS, 'moving'],
    ['more than ten minutes of silence', at({ motion: 'moving', alarm: 'sos' }), OFFLINE_AFTER_MS + 1, 'offline'],
    ['an alarm', at({ motion: 'parked', alarm: 'sos' }), 0, 'alarm'],
    ['its motion', at({ motion: 'idle' }), 0, 'idle'],
    ['speed alone', at({ motion: 'unspecified', speed: 12 }), 0, 'moving'],
    ['ignition alone', at({ motion: 'unspecified', speed: 0, ignition: true }), 0, 'idle'],
    ['nothing but a place', at({ motion: 'unspecified', speed: 0 }), 0, 'parked'],
  ] as const)('follows %s', (_what, position, age, expected) => {
    expect(vehicleState(position, T + age)).toBe(expected);
  });
});
