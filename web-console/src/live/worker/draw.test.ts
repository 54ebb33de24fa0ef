import { describe, expect, it, vi } from 'vitest';
import { unitX, unitY, worldPixels } from '@/lib/mercator';
import type { VehicleState } from '../vehicleState';
import { bubbleAt, CELL, gather, sharesOf, shortCount } from './bubbles';
import { CELL_LIMIT, CROWD_LIMIT, createDrawn, drawFrame, nearestDrawn, type Context, type Frame } from './draw';
import { MapFilter } from './mapFilter';
import type { SpriteAtlas } from './sprites';
import { alarmsOf, catalogueOf, fleetOf } from './testFleet';
import { Trails } from './trail';

/** A canvas context that writes down which of its methods were called. */
function recorder() {
  const calls: string[] = [];
  const texts: string[] = [];
  const context = new Proxy(
    {},
    {
      get: (_target, name: string) => (first: unknown) => {
        calls.push(name);
        if (name === 'fillText') texts.push(String(first));
        return { width: 40 };
      },
      set: () => true,
    },
  ) as unknown as Context;
  return { context, calls, texts };
}

const idsOf = (count: number) => Array.from({ length: count }, (_, place) => `v${place}`);

/** What is filtered. */
interface Filtered {
  states?: VehicleState[] | null;
  search?: string;
}

function parkedVehicles(count: number) {
  const { fleet, report } = fleetOf(idsOf(count));
  report(0, ...idsOf(count).map((id) => ({ id, at: 0, course: 0 })));
  return { fleet, report };
}

const APPEARANCE = {
  states: {},
  names: true,
  nameSize: 11,
  namesFrom: 8,
  trails: true,
  reducedMotion: true,
} as Frame['appearance'];

function frameOf(
  fleet: Frame['fleet'],
  { states = null, search = '', ...change }: Partial<Omit<Frame, 'context'>> & Filtered = {},
) {
  const zoom = 12;
  const scale = worldPixels(zoom);
  const draws = vi.fn();
  const filter = new MapFilter(fleet);
  filter.set(states, search);
  filter.chosen = change.chosen ?? [];
  const frame: Frame & ReturnType<typeof recorder> = {
    ...recorder(),
    fleet,
    view: {
      zoom,
      originX: unitX(106.8) * scale - 400,
      originY: unitY(-6.2) * scale - 300,
      width: 800,
      height: 600,
      pixelRatio: 1,
    },
    appearance: APPEARANCE,
    atlas: { draw: draws } as unknown as SpriteAtlas,
    filter,
    chosen: [],
    trails: new Trails(),
    now: 0,
    clock: 0,
    ...change,
  };
  return { frame, draws };
}

describe('drawFrame', () => {
  it('draws what is in view and leaves out what is not', () => {
    const { fleet, report } = parkedVehicles(3);
    report(0, { id: 'v2', at: 1, lat: 0, lng: 0 });
    const { frame, draws } = frameOf(fleet);
    const drawn = createDrawn(8);
    drawFrame(frame, drawn);
    expect(drawn.count).toBe(2);
    expect(drawn.x[0]).toBeCloseTo(400);
    expect(drawn.y[0]).toBeCloseTo(300);
    expect(draws).toHaveBeenCalledTimes(2);
  });

  it('hides states that are filtered away, but never a chosen vehicle', () => {
    const drawn = createDrawn(8);
    const { fleet } = parkedVehicles(3);
    drawFrame(frameOf(fleet, { states: ['parked'] }).frame, drawn);
    expect(drawn.count).toBe(0);
    drawFrame(frameOf(fleet, { states: ['parked'], chosen: ['v1'] }).frame, drawn);
    expect(drawn.count).toBe(1);
  });

  it('hides what a search does not find, but never the selected vehicle', () => {
    const drawn = createDrawn(8);
    const { fleet } = parkedVehicles(3);
    drawFrame(frameOf(fleet, { search: ' TRUCK v1' }).frame, drawn);
    expect(Array.from(drawn.rows.subarray(0, drawn.count), (row) => fleet.ids[row])).toEqual(['v1']);
    drawFrame(frameOf(fleet, { search: 'v1', chosen: ['v2', 'v0'] }).frame, drawn);
    expect(drawn.count).toBe(3);
  });

  it('writes no names when they are not wanted, but that of the selected vehicle', () => {
    const { fleet, report } = parkedVehicles(2);
    report(0, { id: 'v1', at: 1, lat: -6.21 });
    const appearance = { ...APPEARANCE, names: false };
    const { frame } = frameOf(fleet, { appearance, chosen: ['v1'] });
    drawFrame(frame, createDrawn(8));
    expect(frame.texts).toEqual(['Truck v1']);
  });

  it('writes names from afar for a room alone', () => {
    const { fleet } = parkedVehicles(1);
    const farAway = (namesFrom: number) => {
      const { frame } = frameOf(fleet, { appearance: { ...APPEARANCE, namesFrom } });
      frame.view = { ...frame.view, zoom: 7, originX: unitX(100) * worldPixels(7), originY: unitY(0) * worldPixels(7) };
      drawFrame(frame, createDrawn(8));
      return frame.texts;
    };
    expect(farAway(8)).toEqual([]);
    expect(farAway(0)).toEqual(['Truck v0']);
  });

  it('writes a name only where it covers nothing, and that of the selected vehicle first', () => {
    const { fleet } = parkedVehicles(2);
    const { frame } = frameOf(fleet);
    drawFrame(frame, createDrawn(8));
    expect(frame.texts).toEqual(['Truck v0']);
    const { frame: selecting } = frameOf(fleet, { chosen: ['v1'] });
    drawFrame(selecting, createDrawn(8));
    expect(selecting.texts).toEqual(['Truck v1']);
  });

  it('counts vehicles that would hide each other from afar, but neither others nor the selected one', () => {
    const { fleet, report } = parkedVehicles(CELL_LIMIT + 3);
    fleet.list(catalogueOf(['v0', 'v1'], alarmsOf(0, 1)));
    report(0, { id: 'v0', at: 1, lat: -6.9 });
    const drawn = createDrawn(fleet.size);
    const view = (zoom: number) => {
      const { frame } = frameOf(fleet, { chosen: ['v2'] });
      const scale = worldPixels(zoom);
      return {
        ...frame,
        view: { ...frame.view, zoom, originX: unitX(106.8) * scale - 400, originY: unitY(-6.2) * scale - 300 },
      };
    };
    drawFrame(view(9), drawn);
    expect(drawn.bubbles).toMatchObject([{ count: CELL_LIMIT + 1, states: [CELL_LIMIT, 0, 0, 0, 0, 1] }]);
    expect([...drawn.rows.slice(0, drawn.count)].map((row) => fleet.ids[row])).toEqual(['v0', 'v2']);
    expect(drawn.inView).toBe(CELL_LIMIT + 3);
    drawFrame(view(13), drawn);
    expect(drawn.bubbles).toEqual([]);
    expect(drawn.count).toBe(CELL_LIMIT + 2);
  });

  it('leaves as many alone as can be told apart', () => {
    const { fleet } = parkedVehicles(CELL_LIMIT);
    const { frame } = frameOf(fleet);
    const drawn = createDrawn(fleet.size);
    drawFrame({ ...frame, view: { ...frame.view, zoom: 0, originX: 0, originY: 0 } }, drawn);
    expect(drawn.bubbles).toEqual([]);
    expect(drawn.count).toBe(CELL_LIMIT);
  });

  it('counts all in bubbles when there are too many', () => {
    const { fleet } = parkedVehicles(CROWD_LIMIT + 1);
    const { frame, draws } = frameOf(fleet);
    const drawn = createDrawn(fleet.size);
    drawFrame(frame, drawn);
    expect(drawn.bubbles.map(({ count }) => count)).toEqual([CROWD_LIMIT + 1]);
    expect(draws).not.toHaveBeenCalled();
    expect(frame.texts).toEqual(['4.0k']);
    expect(nearestDrawn(drawn, 400, 300)).toBe(-1);
  });

  it('draws a chosen vehicle among too many, where it is on its way', () => {
    const { fleet, report } = parkedVehicles(CROWD_LIMIT + 2);
    report(0, { id: 'v1', at: 10_000, lat: -6.204, course: 0 }, { id: 'v2', at: 10_000, lat: -6.204, course: 0 });
    const { frame } = frameOf(fleet, { chosen: ['v1'], now: 5_000 });
    const drawn = createDrawn(fleet.size);
    drawFrame(frame, drawn);
    expect([drawn.inView, drawn.isCrowd, drawn.count]).toEqual([CROWD_LIMIT + 2, true, 1]);
    const wayOf = (lat: number) => unitY(lat) * worldPixels(12) - frame.view.originY;
    expect(drawn.y[0]).toBeCloseTo((wayOf(-6.2) + wayOf(-6.204)) / 2);
    expect(Math.max(...drawn.bubbles.map(({ bottom }) => bottom))).toBeCloseTo(wayOf(-6.204));
    expect(drawn.next).toBeLessThan(Infinity);
  });

  it('comes again while something moves, as soon as that can be seen', () => {
    const { fleet, report } = parkedVehicles(1);
    const drawn = createDrawn(8);
    drawFrame(frameOf(fleet).frame, drawn);
    expect(drawn.next).toBe(Infinity);
    report(0, { id: 'v0', at: 2_000, lat: -6.204, course: 0 });
    drawFrame(frameOf(fleet, { now: 500 }).frame, drawn);
    const fast = drawn.next;
    expect(fast).toBeLessThan(1_000);
    report(2_000, { id: 'v0', at: 12_000, lat: -6.2041, course: 0 });
    drawFrame(frameOf(fleet, { now: 3_000 }).frame, drawn);
    expect(drawn.next).toBeGreaterThan(fast);
    drawFrame(frameOf(fleet, { now: 60_000 }).frame, drawn);
    expect(drawn.next).toBe(Infinity);
  });
});

const drawnAt = (...points: [number, number][]) => {
  const drawn = createDrawn(points.length);
  points.forEach(([x, y], place) => {
    drawn.x[place] = x;
    drawn.y[place] = y;
  });
  drawn.count = points.length;
  return drawn;
};

describe('nearestDrawn', () => {
  it('finds the nearest within reach', () => {
    const drawn = drawnAt([100, 100], [110, 100], [300, 300]);
    expect(nearestDrawn(drawn, 108, 101)).toBe(1);
    expect(nearestDrawn(drawn, 101, 99)).toBe(0);
    expect(nearestDrawn(drawn, 200, 200)).toBe(-1);
  });

  it('takes the one on top where two lie on each other', () => {
    expect(nearestDrawn(drawnAt([100, 100], [100, 100]), 100, 100)).toBe(1);
  });
});

describe('bubbles', () => {
  it('count every vehicle once, never cover each other, and are found by a pointer', () => {
    const points = Array.from({ length: 3_000 }, (_, place): [number, number] => [
      (place * 37) % 700,
      (place * 61) % 500,
    ]);
    const drawn = drawnAt(...points);
    const { view } = frameOf(fleetOf([]).fleet).frame;
    gather({ view: { ...view, originX: 12_345, originY: -678 }, fleet: fleetOf([]).fleet, chosen: [] }, drawn, 0);
    const { bubbles } = drawn;
    expect(drawn.count).toBe(0);
    expect(bubbles.reduce((sum, { count }) => sum + count, 0)).toBe(3_000);
    for (const [place, one] of bubbles.entries()) {
      expect(one.radius * 2).toBeLessThan(CELL);
      for (const other of bubbles.slice(place + 1)) {
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.radius + other.radius);
      }
      expect(bubbleAt(bubbles, one.x, one.y)).toBe(one);
    }
  });

  it('say which share of their vehicles does what, and never so little of an alarm that nobody sees it', () => {
    expect(sharesOf({ count: 4, states: [2, 0, 1, 1, 0, 0] })).toEqual([
      [0, 0.5],
      [2, 0.25],
      [3, 0.25],
    ]);
    const [alarm, others] = sharesOf({ count: 1_000, states: [999, 0, 0, 0, 0, 1] });
    expect(alarm).toEqual([5, 1 / 12]);
    expect(others?.[1]).toBeCloseTo(11 / 12);
    expect(sharesOf({ count: 2, states: [0, 0, 0, 0, 0, 2] })).toEqual([[5, 1]]);
  });

  it('have numbers that fit', () => {
    expect([7, 999, 1_234, 45_678].map(shortCount)).toEqual(['7', '999', '1.2k', '46k']);
  });
});
