import { describe, expect, it } from 'vitest';
import { OFFLINE_AFTER_MS, VEHICLE_STATES } from '@/live/vehicleState';
import { createDrawn, nearestDrawn, shortCount } from './draw';
import { latOf, lngOf, metresBetween, unitX, unitY } from './mercator';
import { MAX_GLIDE_MS, bearing, glideDuration, headingBetween } from './motion';
import { Scene, type VehicleFix } from './scene';

const fix = (id: string, recordedAt: number, lat: number, lng: number, heading: number | null = null): VehicleFix => ({
  id,
  lat,
  lng,
  heading,
  recordedAt,
  state: 'moving',
});
const placed = (scene: Scene, id: string, now: number) => {
  const at = { x: 0, y: 0, heading: 0 };
  scene.place(scene.row(id) ?? -1, now, at);
  return { lat: latOf(at.y), lng: lngOf(at.x), heading: at.heading };
};

describe('mercator', () => {
  it('goes there and back', () => {
    for (const [lat, lng] of [
      [-6.2, 106.8],
      [51.5, -0.1],
      [0, 0],
    ] as const) {
      expect(latOf(unitY(lat))).toBeCloseTo(lat, 9);
      expect(lngOf(unitX(lng))).toBeCloseTo(lng, 9);
    }
  });

  it('measures metres', () => {
    expect(metresBetween(unitX(106.8), unitY(-6.2), unitX(106.81), unitY(-6.2))).toBeCloseTo(1106.7, 0);
  });
});

describe('motion', () => {
  it('turns around the shorter side', () => {
    expect(headingBetween(350, 10, 0.5)).toBeCloseTo(0);
    expect(headingBetween(10, 350, 0.5)).toBeCloseTo(0);
    expect(headingBetween(90, 180, 0.5)).toBeCloseTo(135);
  });

  it('knows the bearing', () => {
    expect(bearing(0.5, 0.5, 0.5, 0.4)).toBeCloseTo(0);
    expect(bearing(0.5, 0.5, 0.6, 0.5)).toBeCloseTo(90);
    expect(bearing(0.5, 0.5, 0.4, 0.5)).toBeCloseTo(270);
  });

  it('glides over the reporting interval, within limits', () => {
    expect(glideDuration(0, 2_000)).toBe(2_000);
    expect(glideDuration(0, 60_000)).toBe(MAX_GLIDE_MS);
    expect(glideDuration(0, 1)).toBeGreaterThan(1);
  });
});

describe('Scene', () => {
  it('glides from where the vehicle is drawn to the new fix and no further', () => {
    const scene = new Scene();
    scene.update(fix('a', 0, -6.2, 106.8, 90), 0);
    scene.update(fix('a', 2_000, -6.2, 106.802, 90), 1_000);
    expect(placed(scene, 'a', 1_000).lng).toBeCloseTo(106.8, 6);
    expect(placed(scene, 'a', 2_000).lng).toBeCloseTo(106.801, 6);
    expect(placed(scene, 'a', 3_000).lng).toBeCloseTo(106.802, 6);
    expect(placed(scene, 'a', 60_000).lng).toBeCloseTo(106.802, 6);
    expect(scene.isGliding(0, 2_000)).toBe(true);
    expect(scene.isGliding(0, 3_000)).toBe(false);
  });

  it('starts a new glide in the middle of another without a jump', () => {
    const scene = new Scene();
    scene.update(fix('a', 0, -6.2, 106.8), 0);
    scene.update(fix('a', 2_000, -6.2, 106.802), 1_000);
    const before = placed(scene, 'a', 2_000).lng;
    scene.update(fix('a', 3_000, -6.2, 106.803), 2_000);
    expect(placed(scene, 'a', 2_000).lng).toBeCloseTo(before, 9);
  });

  it('jumps when the way is too far to have been driven on the screen', () => {
    const scene = new Scene();
    scene.update(fix('a', 0, -6.2, 106.8), 0);
    scene.update(fix('a', 2_000, -6.2, 106.81), 1_000);
    expect(placed(scene, 'a', 1_000).lng).toBeCloseTo(106.81, 6);
  });

  it('does not go back for an older fix', () => {
    const scene = new Scene();
    scene.update(fix('a', 2_000, -6.2, 106.8), 0);
    scene.update(fix('a', 1_000, -6.2, 106.801), 10);
    expect(placed(scene, 'a', 20_000).lng).toBeCloseTo(106.8, 6);
  });

  it('takes the heading from the way when the device does not say it', () => {
    const scene = new Scene();
    scene.update(fix('a', 0, -6.2, 106.8), 0);
    scene.update(fix('a', 2_000, -6.2, 106.802), 0);
    expect(placed(scene, 'a', 2_000).heading).toBeCloseTo(90, 0);
  });

  it('lets vehicles go offline by themselves', () => {
    const scene = new Scene();
    scene.update(fix('a', 1_000, -6.2, 106.8), 0);
    expect(VEHICLE_STATES[scene.stateCode(0, 1_000 + OFFLINE_AFTER_MS)]).toBe('moving');
    expect(VEHICLE_STATES[scene.stateCode(0, 1_001 + OFFLINE_AFTER_MS)]).toBe('offline');
  });

  it('grows to thousands', () => {
    const scene = new Scene();
    for (let i = 0; i < 5_000; i++) scene.update(fix(`v${i}`, 0, i / 1_000, 100), 0);
    expect(scene.size).toBe(5_000);
    expect(placed(scene, 'v4999', 0).lat).toBeCloseTo(4.999, 6);
  });
});

describe('nearestDrawn', () => {
  const drawnAt = (...points: [number, number][]) => {
    const drawn = createDrawn(8);
    points.forEach(([x, y], place) => {
      drawn.x[place] = x;
      drawn.y[place] = y;
    });
    drawn.count = points.length;
    return drawn;
  };

  it('finds the nearest within reach', () => {
    const drawn = drawnAt([100, 100], [110, 100], [300, 300]);
    expect(nearestDrawn(drawn, 108, 101)).toBe(1);
    expect(nearestDrawn(drawn, 101, 99)).toBe(0);
    expect(nearestDrawn(drawn, 200, 200)).toBe(-1);
  });

  it('takes the one on top where two lie on each other', () => {
    expect(nearestDrawn(drawnAt([100, 100], [100, 100]), 100, 100)).toBe(1);
  });

  it('finds nothing among bubbles', () => {
    const drawn = drawnAt([100, 100]);
    drawn.crowded = true;
    expect(nearestDrawn(drawn, 100, 100)).toBe(-1);
  });
});

describe('shortCount', () => {
  it('fits into a bubble', () => {
    expect([7, 999, 1_234, 45_678].map(shortCount)).toEqual(['7', '999', '1.2k', '46k']);
  });
});
