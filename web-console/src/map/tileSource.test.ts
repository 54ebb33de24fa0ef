import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choiceInForce, loadBaseChoice, saveBaseChoice, sourceOf, type BaseChoice, type MapSource } from './tileSource';

const kept = new Map<string, string>();
const TYPED = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© Contoh' };
const SCHEMATIC: BaseChoice = { kind: 'schematic' };
const street = (id: string, rest: Partial<MapSource> = {}): MapSource => ({
  id,
  name: `Peta ${id}`,
  kind: 'raster_tiles',
  url: `/api/v1/map-sources/${id}/{z}/{x}/{y}`,
  attribution: '',
  min_zoom: 0,
  max_zoom: 19,
  ...rest,
});
const OFFERED = [street('broken', { problem: 'version' }), street('one'), street('two')];

beforeEach(() => {
  kept.clear();
  // These tests have no page.
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('what was chosen in this browser', () => {
  it.each<BaseChoice>([{ kind: 'server', id: 'one' }, { kind: 'own', ...TYPED }, SCHEMATIC])(
    'comes back as it was kept: %j',
    (choice) => {
      saveBaseChoice(choice);
      expect(loadBaseChoice()).toEqual(choice);
    },
  );

  it('may be an address from before there was anything else to choose', () => {
    kept.set('map_tiles', JSON.stringify(TYPED));
    expect(loadBaseChoice()).toEqual({ kind: 'own', ...TYPED });
  });

  it.each(['{', '5', '{}', '{"kind":"server"}', '{"url":"http://tiles.example/{z}/{x}/{y}"}', '{"url":7}'])(
    'is nothing in %j',
    (text) => {
      kept.set('map_tiles', text);
      expect(loadBaseChoice()).toBeNull();
    },
  );
});

describe('what is shown', () => {
  it('is the first street map that can be shown where nothing was chosen', () => {
    expect(choiceInForce(null, OFFERED)).toEqual({ kind: 'server', id: 'one' });
  });

  it.each([
    ['two', 'two'],
    ['gone', 'one'],
    ['broken', 'one'],
  ])('is the one that was chosen while it can be: %s', (id, shown) => {
    expect(choiceInForce({ kind: 'server', id }, OFFERED)).toEqual({ kind: 'server', id: shown });
  });

  it('is not known while the offer is on its way, but for what does not depend on it', () => {
    expect(choiceInForce(null, undefined)).toBeUndefined();
    expect(choiceInForce({ kind: 'server', id: 'one' }, undefined)).toBeUndefined();
    expect(choiceInForce(SCHEMATIC, undefined)).toEqual(SCHEMATIC);
    expect(sourceOf(undefined, undefined)).toBeUndefined();
  });

  it('stays the bundled map for who wants that, whatever is offered', () => {
    expect(choiceInForce(SCHEMATIC, OFFERED)).toEqual(SCHEMATIC);
    expect(sourceOf(SCHEMATIC, OFFERED)).toBeNull();
  });

  it('is the bundled map where nothing is offered, or the tiles of the build', () => {
    expect(choiceInForce(null, [])).toEqual(SCHEMATIC);
    vi.stubEnv('VITE_TILE_URL', TYPED.url);
    expect(choiceInForce(null, [])).toEqual({ kind: 'own', url: TYPED.url, attribution: '' });
  });

  it('is drawn from where the choice says', () => {
    expect(sourceOf({ kind: 'server', id: 'two' }, OFFERED)).toBe(OFFERED[2]);
    expect(sourceOf({ kind: 'own', ...TYPED }, OFFERED)).toEqual({
      ...TYPED,
      kind: 'raster_tiles',
      min_zoom: 0,
      max_zoom: 19,
    });
  });
});
