import { describe, expect, it, vi } from 'vitest';
import { VEHICLE_STATES } from '@/live/vehicleState';
import { CROWD_LIMIT, createDrawn, drawFrame, type Frame } from './draw';
import { unitX, unitY, worldPixels } from './mercator';
import { Scene } from './scene';
import type { SpriteAtlas } from './sprites';

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
  ) as unknown as CanvasRenderingContext2D;
  return { context, calls, texts };
}

function frameOf(scene: Scene, change: Partial<Omit<Frame, 'context'>> = {}): Frame & ReturnType<typeof recorder> {
  const zoom = 12;
  const scale = worldPixels(zoom);
  return {
    ...recorder(),
    scene,
    view: {
      zoom,
      originX: unitX(106.8) * scale - 400,
      originY: unitY(-6.2) * scale - 300,
      width: 800,
      height: 600,
      pixelRatio: 1,
    },
    appearance: { states: {}, reducedMotion: true } as Frame['appearance'],
    atlas: { sprite: vi.fn(() => ({})) } as unknown as SpriteAtlas,
    names: new Map(),
    shownStates: (1 << VEHICLE_STATES.length) - 1,
    selected: null,
    now: 0,
    clock: 0,
    ...change,
  };
}

const sceneOf = (count: number, state: 'moving' | 'parked' = 'moving') => {
  const scene = new Scene();
  for (let i = 0; i < count; i++) {
    scene.update({ id: `v${i}`, lat: -6.2, lng: 106.8, heading: 0, recordedAt: 0, state }, 0);
  }
  return scene;
};

describe('drawFrame', () => {
  it('draws what is in view and leaves out what is not', () => {
    const scene = sceneOf(2);
    scene.update({ id: 'far', lat: 0, lng: 0, heading: 0, recordedAt: 0, state: 'moving' }, 0);
    const frame = frameOf(scene);
    const drawn = createDrawn(8);
    drawFrame(frame, drawn);
    expect(drawn.count).toBe(2);
    expect(drawn.x[0]).toBeCloseTo(400);
    expect(drawn.y[0]).toBeCloseTo(300);
    expect(frame.calls.filter((call) => call === 'drawImage')).toHaveLength(2);
  });

  it('hides states that are filtered away, but never the selected vehicle', () => {
    const drawn = createDrawn(8);
    const parkedOnly = 1 << VEHICLE_STATES.indexOf('parked');
    drawFrame(frameOf(sceneOf(3), { shownStates: parkedOnly }), drawn);
    expect(drawn.count).toBe(0);
    drawFrame(frameOf(sceneOf(3), { shownStates: parkedOnly, selected: 'v1' }), drawn);
    expect(drawn.count).toBe(1);
  });

  it('writes a name only where it covers nothing', () => {
    const scene = sceneOf(2);
    const frame = frameOf(scene, { names: new Map([['v0', 'One'], ['v1', 'Two']]) });
    drawFrame(frame, createDrawn(8));
    expect(frame.texts).toEqual(['One']);
  });

  it('counts in bubbles when there are too many', () => {
    const scene = sceneOf(CROWD_LIMIT + 1);
    const frame = frameOf(scene);
    const drawn = createDrawn(scene.size);
    drawFrame(frame, drawn);
    expect(drawn.crowded).toBe(true);
    expect(frame.calls).not.toContain('drawImage');
    expect(frame.texts).toEqual(['4.0k']);
  });

  it('goes on while a vehicle glides', () => {
    const scene = sceneOf(1);
    const drawn = createDrawn(8);
    drawFrame(frameOf(scene), drawn);
    expect(drawn.animating).toBe(false);
    scene.update({ id: 'v0', lat: -6.201, lng: 106.8, heading: 0, recordedAt: 2_000, state: 'moving' }, 0);
    drawFrame(frameOf(scene, { now: 500 }), drawn);
    expect(drawn.animating).toBe(true);
  });
});
