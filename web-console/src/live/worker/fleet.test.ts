import { describe, expect, it } from 'vitest';
import { latOf, lngOf } from '@/lib/mercator';
import { USUAL_AGES, VEHICLE_STATES } from '../vehicleState';
import type { Fleet } from './fleet';
import { alarmsOf, catalogueOf, fleetOf, positionsOf } from './testFleet';

const placed = (fleet: Fleet, id: string, now: number) => {
  const at = { x: 0, y: 0, heading: 0 };
  fleet.glides.place(fleet.row(id) ?? -1, now, at);
  return { lat: latOf(at.y), lng: lngOf(at.x), heading: at.heading };
};
const stateOf = (fleet: Fleet, id: string, clock: number) =>
  VEHICLE_STATES[fleet.stateCode(fleet.row(id) ?? -1, clock)];

describe('the catalogue', () => {
  it('names devices before they have reported', () => {
    const { fleet } = fleetOf(['a']);
    expect(fleet.device(0, 0)).toMatchObject({ id: 'a', name: 'Truck a', imei: '490000000000000', state: 'no_data' });
    expect(fleet.device(0, 0).position).toBeNull();
  });

  it('keeps what is known of a device when the stream begins anew, and forgets who is gone', () => {
    const { fleet, report } = fleetOf(['a', 'b', 'c']);
    report(0, { id: 'b', at: 1_000, lat: 1 });
    fleet.list(catalogueOf(['b'], { reset: true, complete: false }));
    expect([fleet.count, fleet.complete]).toEqual([3, false]);
    fleet.list(catalogueOf(['d'], {}, 1));
    expect([fleet.count, fleet.complete]).toEqual([2, true]);
    expect(fleet.row('a')).toBeUndefined();
    expect(fleet.device(fleet.row('b') ?? -1, 1_000).position?.lat).toBe(1);
    // Number 1 means another device now.
    fleet.move(positionsOf([{ id: 'd', at: 2_000, lat: 2 }], new Map([['d', 1]])), 0, () => undefined);
    expect(fleet.device(fleet.row('d') ?? -1, 2_000).position?.lat).toBe(2);
    expect(fleet.device(fleet.row('b') ?? -1, 2_000).position?.lat).toBe(1);
  });

  it('lets go of devices that are taken away, and of everything for another person', () => {
    const { fleet, report } = fleetOf(['a', 'b']);
    report(0, { id: 'a', at: 1 }, { id: 'b', at: 1 });
    fleet.list(catalogueOf([], { gone: [0] }));
    expect([fleet.row('a'), fleet.count]).toEqual([undefined, 1]);
    expect(report(0, { id: 'b', at: 2 })).toHaveLength(1);
    fleet.clear();
    expect([fleet.count, fleet.size, fleet.row('b'), fleet.ids.length]).toEqual([0, 0, undefined, 0]);
    expect(report(0, { id: 'b', at: 3 })).toHaveLength(0);
  });

  it('grows to thousands', () => {
    const ids = Array.from({ length: 5_000 }, (_, place) => `v${place}`);
    const { fleet, report } = fleetOf(ids);
    report(0, ...ids.map((id, place) => ({ id, at: 1, lat: place / 1_000, lng: 100 })));
    expect(fleet.count).toBe(5_000);
    expect(placed(fleet, 'v4999', 0).lat).toBeCloseTo(4.999, 6);
  });
});

describe('positions', () => {
  it('glide from where the vehicle is drawn to the new fix and no further', () => {
    const { fleet, report } = fleetOf(['a']);
    report(0, { id: 'a', at: 0, course: 90 });
    report(1_000, { id: 'a', at: 2_000, lng: 106.802, course: 90 });
    expect(placed(fleet, 'a', 1_000).lng).toBeCloseTo(106.8, 6);
    expect(placed(fleet, 'a', 2_000).lng).toBeCloseTo(106.801, 6);
    expect(placed(fleet, 'a', 3_000).lng).toBeCloseTo(106.802, 6);
    expect(placed(fleet, 'a', 60_000).lng).toBeCloseTo(106.802, 6);
    expect([fleet.glides.isGliding(0, 2_000), fleet.glides.isGliding(0, 3_000)]).toEqual([true, false]);
  });

  it('glide on from the middle of another glide without a jump', () => {
    const { fleet, report } = fleetOf(['a']);
    report(0, { id: 'a', at: 0 });
    report(1_000, { id: 'a', at: 2_000, lng: 106.802 });
    const before = placed(fleet, 'a', 2_000).lng;
    report(2_000, { id: 'a', at: 3_000, lng: 106.803 });
    expect(placed(fleet, 'a', 2_000).lng).toBeCloseTo(before, 9);
  });

  it('jump when the way is too far to have been driven on the screen', () => {
    const { fleet, report } = fleetOf(['a']);
    report(0, { id: 'a', at: 0 });
    report(1_000, { id: 'a', at: 2_000, lng: 106.81 });
    expect(placed(fleet, 'a', 1_000).lng).toBeCloseTo(106.81, 6);
  });

  it('are left out when they are older than what is known, or nowhere', () => {
    const { fleet, report } = fleetOf(['a']);
    expect(report(0, { id: 'a', at: 2_000 })).toEqual([0]);
    expect(report(10, { id: 'a', at: 1_000, lng: 106.801 })).toEqual([]);
    expect(report(10, { id: 'a', at: 3_000, lat: 91 })).toEqual([]);
    expect(report(10, { id: 'a', at: 3_000, lng: -180.5 })).toEqual([]);
    expect(placed(fleet, 'a', 20_000).lng).toBeCloseTo(106.8, 6);
  });

  it('give a heading by their way when the device says none', () => {
    const { fleet, report } = fleetOf(['a']);
    report(0, { id: 'a', at: 0 });
    report(0, { id: 'a', at: 2_000, lng: 106.802 });
    expect(placed(fleet, 'a', 2_000).heading).toBeCloseTo(90, 0);
  });

  it('give a state, which ages by itself', () => {
    const { fleet, report } = fleetOf(['a', 'b', 'c', 'd']);
    const at = 1_000;
    report(
      0,
      { id: 'a', at },
      { id: 'b', at, motion: 3 },
      { id: 'c', at, alarm: 'sos' },
      { id: 'd', at, motion: 0, speed: 3 },
    );
    expect(['a', 'b', 'c', 'd'].map((id) => stateOf(fleet, id, at))).toEqual(['moving', 'parked', 'moving', 'moving']);
    expect(stateOf(fleet, 'c', at + USUAL_AGES.offlineAfterMs)).toBe('moving');
    expect(stateOf(fleet, 'c', at + USUAL_AGES.offlineAfterMs + 1)).toBe('offline');
    expect(fleet.device(2, at).position?.alarm).toBe('sos');
  });

  it('bring what was driven today, and litres, of the vehicle that they are of, as long as that is told', () => {
    const { fleet, report } = fleetOf(['a', 'b', 'c']);
    report(
      0,
      { id: 'a', at: 0, litres: 12 },
      { id: 'b', at: 0, today: 500 },
      { id: 'c', at: 0, today: 900, litres: 7 },
    );
    const litres = () => [0, 1, 2].map((row) => fleet.device(row, 0).position?.fuelLitres);
    expect(litres()).toEqual([12, undefined, 7]);
    const driven = () => [0, 1, 2].map((row) => fleet.device(row, 0).position?.today?.distance);
    expect(driven()).toEqual([undefined, 500, 900]);
    // The same fix again, since somebody looks at the vehicle now; and one of a vehicle that nobody looks at any more.
    report(0, { id: 'a', at: 0, today: 100, litres: 0 }, { id: 'c', at: 1_000 });
    expect(driven()).toEqual([100, 500, undefined]);
    expect(litres()).toEqual([0, undefined, undefined]);
  });

  it('give way to an alarm that stands, until it does no more', () => {
    const { fleet, report } = fleetOf(['a', 'b']);
    const later = USUAL_AGES.offlineAfterMs + 1;
    fleet.list(catalogueOf(['a', 'b'], alarmsOf(0, 0)));
    // Wherever it is: nobody needs to know that to see to it.
    expect(stateOf(fleet, 'a', 0)).toBe('alarm');
    report(0, { id: 'a', at: 0 });
    expect([0, later].map((clock) => stateOf(fleet, 'a', clock))).toEqual(['alarm', 'alarm']);
    expect(fleet.device(0, 0).alarms).toHaveLength(2);
    const before = fleet.version[0] ?? 0;
    fleet.list(catalogueOf(['a']));
    expect(fleet.version[0]).toBeGreaterThan(before);
    expect([0, later].map((clock) => stateOf(fleet, 'a', clock))).toEqual(['moving', 'offline']);
    expect(fleet.device(0, 0).alarms).toBeUndefined();
  });

  it('age after the time of their tenant or their own', () => {
    const { fleet, report } = fleetOf(['a', 'b']);
    const own = { aged: [1], staleSeconds: [60], offlineSeconds: [90] };
    report(0, { id: 'a', at: 0 }, { id: 'b', at: 0 });
    expect(fleet.device(1, 0).position?.ages).toBeUndefined();
    fleet.list(catalogueOf(['b'], own, 1));
    expect(fleet.device(1, 0).position?.ages).toEqual({ staleAfterMs: 60_000, offlineAfterMs: 90_000 });
    expect(stateOf(fleet, 'b', 90_000)).toBe('moving');
    expect(stateOf(fleet, 'b', 90_001)).toBe('offline');
    expect(stateOf(fleet, 'a', 90_001)).toBe('moving');
    // The usual ones hold again.
    fleet.list(catalogueOf(['b'], {}, 1));
    expect(stateOf(fleet, 'b', 90_001)).toBe('moving');
  });
});
