import { describe, expect, it } from 'vitest';
import { MapFilter } from './mapFilter';
import { nearestVehicles } from './nearestVehicles';
import { fleetOf } from './testFleet';

const HERE = { lat: -6.2, lng: 106.8 };

function fleet() {
  const made = fleetOf(['far', 'near', 'silent', 'middle']);
  made.report(
    0,
    { id: 'far', at: 0, lat: -7, motion: 3 },
    { id: 'near', at: 0, lat: -6.21, motion: 1 },
    { id: 'middle', at: 0, lat: -6.2, lng: 106.9, motion: 3 },
  );
  return { fleet: made.fleet, filter: new MapFilter(made.fleet) };
}

describe('the nearest vehicles', () => {
  it('come in the order of their distance, with the direction, and without those that nobody has heard of', () => {
    const { fleet: all, filter } = fleet();
    const near = nearestVehicles(all, filter, { ...HERE, count: 5 }, 0);
    expect(near.map(({ id }) => id)).toEqual(['near', 'middle', 'far']);
    expect(near[0]?.metres).toBeCloseTo(1_112, -1);
    expect(near[0]?.bearing).toBeCloseTo(180, 0);
    expect(near[1]?.bearing).toBeCloseTo(90, 0);
    expect(near[0]?.state).toBe('moving');
  });

  it('are no more than were asked for, whatever their order', () => {
    const { fleet: all, filter } = fleet();
    expect(nearestVehicles(all, filter, { ...HERE, count: 2 }, 0).map(({ id }) => id)).toEqual(['near', 'middle']);
    expect(nearestVehicles(all, filter, { ...HERE, count: 0 }, 0)).toEqual([]);
  });

  it('are those that the map shows', () => {
    const { fleet: all, filter } = fleet();
    filter.set(['parked'], '');
    expect(nearestVehicles(all, filter, { ...HERE, count: 5 }, 0).map(({ id }) => id)).toEqual(['middle', 'far']);
    filter.set(null, 'far');
    expect(nearestVehicles(all, filter, { ...HERE, count: 5 }, 0).map(({ id }) => id)).toEqual(['far']);
  });
});
