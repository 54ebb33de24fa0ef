import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { TrackSegment } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { PlaybackPage } from './PlaybackPage';
import { SegmentList } from './SegmentList';
import { PlaybackClock } from './track/clock';
import sample from './track/track.sample.bin?inline';
import { TrackStatus } from './TrackStatus';
import { usePlaybackAddress } from './usePlaybackAddress';
import { useTracks } from './useTracks';

setUpTestServer();

const BINARY = Uint8Array.from(atob(sample.slice(sample.indexOf(',') + 1)), (char) => char.charCodeAt(0));
const START = Date.parse('2026-11-25T01:00:00Z');
const minute = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const segment = (
  kind: TrackSegment['kind'],
  from: number,
  to: number,
  rest: Partial<TrackSegment> = {},
): TrackSegment => ({
  kind,
  from: minute(from),
  to: minute(to),
  start_lat: 0,
  start_lng: 0,
  end_lat: 0,
  end_lng: 0,
  distance: 0,
  moving_seconds: 0,
  idle_seconds: 0,
  engine_seconds: 0,
  fixes: 1,
  ongoing: false,
  ...rest,
});
const TRIP = segment('trip', 0, 30, { distance: 20_000, moving_seconds: 1_800, max_speed: 61 });
const STOP = segment('stop', 30, 60, { idle_seconds: 600, ongoing: true });

function store() {
  const made = createStore();
  made.dispatch(signedIn(loginAnswer({ permissions: ['position:history', 'device:list'] })));
  return made;
}

/** What of the screen loads the tracks, and says how that stands. */
function Status() {
  const { deviceIds, from, to } = usePlaybackAddress();
  const { tracks, bytes, reload } = useTracks(deviceIds, from, to);
  return <TrackStatus tracks={tracks} bytes={bytes} names={{ one: 'Truk Satu', two: 'Truk Dua' }} onRetry={reload} />;
}

const columns = (body: Uint8Array) => () =>
  new HttpResponse(body, { headers: { 'content-type': 'application/x-protobuf' } });
const segments = () => HttpResponse.json({ items: [TRIP] });

describe('playback', () => {
  it('is only for who may see history', () => {
    const made = createStore();
    made.dispatch(signedIn(loginAnswer({ permissions: ['device:list'] })));
    renderAt(<PlaybackPage />, '/playback', made);
    expect(screen.getByText('Anda tidak memiliki akses ke riwayat posisi.')).toBeTruthy();
  });
});

describe('a track on its way', () => {
  it('asks for the days of the address by the clocks of the tenant', async () => {
    const asked = vi.fn();
    server.use(
      http.get(at('/api/v1/devices/one/track'), ({ request }) => {
        asked(Object.fromEntries(new URL(request.url).searchParams));
        return columns(BINARY)();
      }),
      http.get(at('/api/v1/devices/one/track/segments'), segments),
    );
    renderAt(<Status />, '/playback?device_id=one&from=2026-11-24&to=2026-11-25', store());
    expect(screen.getByText(/^Memuat jejak/)).toBeTruthy();
    await vi.waitFor(() => expect(screen.queryByText(/^Memuat jejak/)).toBeNull());
    expect(screen.queryByRole('status')).toBeNull();
    expect(asked.mock.calls).toHaveLength(1);
    const [{ from, to, format }] = asked.mock.calls[0] as [Record<string, string>];
    expect(format).toBe('columns');
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(2 * 86_400_000);
  });

  it('says which vehicles have none', async () => {
    // Complete, and nothing in it.
    const empty = columns(new Uint8Array([11 << 3, 1]));
    server.use(
      http.get(at('/api/v1/devices/:id/track'), empty),
      http.get(at('/api/v1/devices/:id/track/segments'), () => HttpResponse.json({ items: [] })),
    );
    renderAt(<Status />, '/playback?device_id=one&device_id=two', store());
    expect(await screen.findByText('Tidak ada posisi pada hari itu: Truk Satu, Truk Dua')).toBeTruthy();
  });

  it.each([
    ['that broke off', columns(BINARY.subarray(0, -2))],
    ['that was refused', () => HttpResponse.json({ error: 'internal', message: 'Gagal' }, { status: 500 })],
  ])('is tried again when somebody wants to: one %s', async (_what, answer) => {
    let attempts = 0;
    server.use(
      http.get(at('/api/v1/devices/one/track'), () => (attempts++ === 0 ? answer() : columns(BINARY)())),
      http.get(at('/api/v1/devices/one/track/segments'), segments),
    );
    renderAt(<Status />, '/playback?device_id=one', store());
    expect(await screen.findByText('Gagal memuat riwayat perjalanan.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await vi.waitFor(() => expect(screen.queryByText('Gagal memuat riwayat perjalanan.')).toBeNull());
  });
});

describe('trips and stops', () => {
  it('are told with what they came to, and lead to their time', async () => {
    const chosen = vi.fn();
    const clock = new PlaybackClock({ from: START, to: START + 3_600_000 });
    renderAt(<SegmentList segments={[TRIP, STOP]} clock={clock} onChoose={chosen} />, '/playback', store());
    const [trip, stop] = screen.getAllByRole('button');
    expect(trip?.textContent).toContain('30 mnt · 20 km · rata-rata 40 km/jam · tertinggi 61 km/jam');
    expect(stop?.textContent).toContain('30 mnt, idle 10 mnt');
    expect(stop?.textContent).toContain('berlanjut');
    expect(trip?.getAttribute('aria-current')).toBe('true');
    // Nobody knows an address here.
    expect(await within(stop as HTMLElement).findByText(/^\d+ km selatan dari Accra$/)).toBeTruthy();
    expect(within(trip as HTMLElement).getAllByText(/ dari Accra$/)).toHaveLength(2);
    await userEvent.click(stop as HTMLElement);
    expect(chosen).toHaveBeenCalledWith(STOP);
  });

  it('are counted day by day when there are several', () => {
    const clock = new PlaybackClock({ from: START, to: START + 3_600_000 });
    const next = segment('trip', 24 * 60, 24 * 60 + 30, { distance: 1_000, moving_seconds: 60 });
    renderAt(<SegmentList segments={[TRIP, STOP, next]} clock={clock} onChoose={vi.fn()} />, '/playback', store());
    const days = screen.getAllByRole('heading', { level: 2 });
    expect(days.map((day) => within(day).getByText(/perjalanan/).textContent)).toEqual([
      '1 perjalanan · 20 km',
      '1 perjalanan · 1 km',
    ]);
  });
});
