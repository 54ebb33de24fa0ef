import { act, fireEvent, render, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MapContainer } from 'react-leaflet';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, server, setUpTestServer } from '@/testing/server';
import { BaseLayer } from './BaseLayer';
import type { TileSource } from './tileSource';

setUpTestServer();

const STREETS: TileSource = {
  kind: 'raster_tiles',
  url: '/api/v1/map-sources/osm/{z}/{x}/{y}?until=1&signature=abc',
  attribution: '© OSM <script>',
  min_zoom: 0,
  max_zoom: 19,
};

const onFailed = vi.fn();

function show(source: TileSource | null | undefined) {
  return render(
    <MapContainer center={[-6.2, 106.8]} zoom={10}>
      <BaseLayer source={source} scheme="light" language="id" schematicAttribution="Peta skema" onFailed={onFailed} />
    </MapContainer>,
  );
}

const pictures = () => [...document.querySelectorAll<HTMLImageElement>('img.leaflet-tile')];
const sketch = () => document.querySelector('canvas.leaflet-tile');
const first = async () => {
  await waitFor(() => expect(pictures().length).toBeGreaterThan(3));
  return pictures()[0] as HTMLImageElement;
};

beforeEach(() => {
  onFailed.mockClear();
  // A map without a size asks for next to nothing, and jsdom gives it none.
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  server.use(http.get('*/countries-50m.json', () => new HttpResponse(null, { status: 503 })));
});

describe('the base map', () => {
  it('asks for tiles by the address that the server gave, and says whose they are', async () => {
    show(STREETS);
    expect((await first()).getAttribute('src')).toMatch(
      /^\/api\/v1\/map-sources\/osm\/10\/\d+\/\d+\?until=1&signature=abc$/,
    );
    expect(document.querySelector('.leaflet-control-attribution')?.textContent).toContain('© OSM <script>');
    expect(sketch()).toBeNull();
  });

  it('says when there are no tiles and shows the bundled map, until there are some again', async () => {
    show(STREETS);
    await first();
    for (const picture of pictures().slice(0, 3)) fireEvent.error(picture);
    expect(onFailed).not.toHaveBeenCalledWith(true);
    fireEvent.error(pictures()[3] as HTMLImageElement);
    expect(onFailed).toHaveBeenLastCalledWith(true);
    expect(sketch()).toBeTruthy();
    fireEvent.load(pictures()[0] as HTMLImageElement);
    expect(onFailed).toHaveBeenLastCalledWith(false);
    expect(sketch()).toBeNull();
  });

  it('tries a server again that had no tiles', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      show(STREETS);
      const before = await first();
      for (const picture of pictures()) fireEvent.error(picture);
      act(() => void vi.advanceTimersByTime(30_000));
      await waitFor(() => expect(pictures().includes(before)).toBe(false));
      fireEvent.load(await first());
      expect(onFailed).toHaveBeenLastCalledWith(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says when a file is not there', async () => {
    server.use(http.get(at('/api/v1/map-sources/jawa/file'), () => new HttpResponse(null, { status: 404 })));
    show({ ...STREETS, kind: 'pmtiles_raster', url: at('/api/v1/map-sources/jawa/file') });
    await waitFor(() => expect(onFailed).toHaveBeenLastCalledWith(true));
    expect(sketch()).toBeTruthy();
  });

  it('shows the bundled map below what does not reach everywhere, and not before it', async () => {
    show({ ...STREETS, bounds: [95, -11, 141, 6] });
    const picture = await first();
    expect(sketch()).toBeNull();
    fireEvent.load(picture);
    expect(sketch()).toBeTruthy();
    expect(onFailed).not.toHaveBeenCalledWith(true);
  });

  it('is the bundled map at once for who chose it', () => {
    show(null);
    expect(sketch()).toBeTruthy();
  });

  it('waits a moment for what was chosen before it shows the bundled map in its place', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      show(undefined);
      act(() => void vi.advanceTimersByTime(900));
      expect(sketch()).toBeNull();
      act(() => void vi.advanceTimersByTime(100));
      expect(sketch()).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });
});
