import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import { at, server, setUpTestServer } from '@/testing/server';
import { SharePage } from './SharePage';

interface MapProps {
  vehicles: { name: string; lat: number }[];
  following: boolean;
  source: { url: string } | null;
}

vi.mock('@/map/SharedMap', () => ({
  SharedMap: ({ vehicles, following, source }: MapProps) => (
    <div data-testid="map" data-following={following} data-source={source?.url}>
      {vehicles.map(({ name, lat }) => `${name} ${lat}`).join(', ')}
    </div>
  ),
}));

setUpTestServer();

/** A socket whose other end is the test. */
class Line {
  static all: Line[] = [];
  readonly sent: string[] = [];
  readonly url: string;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(url: URL) {
    this.url = url.href;
    Line.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.({ code: 1005 });
  }
  say(message: object) {
    act(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }
  end(code: number) {
    act(() => this.onclose?.({ code }));
  }
}

const asked: Record<string, unknown>[] = [];
let answer: () => Response;
const opened = () => HttpResponse.json({ needs_pin: false, session_token: 'session', ticket: 'ticket' });
const refused = (status: number, error: string, fields?: object) =>
  HttpResponse.json({ error, message: 'Ditolak.', fields }, { status });
const at10 = { number: 0, recorded_at: new Date().toISOString(), lat: -6.2, lng: 106.8, speed: 41, motion: 'moving' };
const vehicles = {
  type: 'vehicles',
  payload: { vehicles: [{ number: 0, name: 'Truk 1', position: at10 }], expires_at: '2026-12-01T00:00:00Z' },
};

async function show(hash = '#token') {
  window.location.hash = hash;
  render(
    <Suspense fallback={null}>
      <SharePage />
    </Suspense>,
  );
  await screen.findByRole('heading', { level: 1 });
}
const line = async (place: number) => {
  await waitFor(() => expect(Line.all.length).toBeGreaterThan(place));
  return Line.all[place] as Line;
};

beforeEach(() => {
  Line.all = [];
  asked.length = 0;
  answer = opened;
  sessionStorage.clear();
  vi.stubGlobal('WebSocket', Line);
  server.use(
    http.post(at('/api/v1/shared-view'), async ({ request }) => {
      asked.push((await request.json()) as Record<string, unknown>);
      return answer();
    }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the page of a share link', () => {
  it('shows the vehicle as it moves, how fast it is, and follows it', async () => {
    await show();
    const socket = await line(0);
    expect(new URL(socket.url).pathname + new URL(socket.url).search).toBe('/ws/shared?token=ticket');
    expect(asked).toEqual([{ url_token: 'token' }]);
    socket.say(vehicles);
    expect((await screen.findByTestId('map')).textContent).toBe('Truk 1 -6.2');
    expect(screen.getByTestId('speed').textContent).toBe('41 km/jam');
    socket.say({ type: 'positions', payload: { positions: [{ ...at10, lat: -6.3, speed: 52 }] } });
    expect(screen.getByTestId('map').textContent).toBe('Truk 1 -6.3');
    expect(screen.getByTestId('speed').textContent).toBe('52 km/jam');
    expect(screen.getByTestId('map').dataset.following).toBe('true');
    await userEvent.click(screen.getByRole('button', { name: 'Mengikuti' }));
    expect(screen.getByTestId('map').dataset.following).toBe('false');
    socket.say({ type: 'ping' });
    expect(socket.sent).toEqual(['{"type":"pong"}']);
  });

  it('lays the first street map that can be shown below them, by its address of today', async () => {
    const street = { id: 'osm', name: 'Jalan', kind: 'raster_tiles', attribution: '', min_zoom: 0, max_zoom: 19 };
    const offer = (day: number) => [
      { ...street, id: 'broken', url: '', problem: 'not_pmtiles' },
      { ...street, url: `/api/v1/map-sources/osm/{z}/{x}/{y}?until=${day}` },
    ];
    answer = () => HttpResponse.json({ session_token: 'session', ticket: 'ticket', map_sources: offer(1) });
    await show();
    const socket = await line(0);
    socket.say(vehicles);
    expect((await screen.findByTestId('map')).dataset.source).toBe('/api/v1/map-sources/osm/{z}/{x}/{y}?until=1');
    answer = () => HttpResponse.json({ session_token: 'session', ticket: 'ticket', map_sources: offer(2) });
    // The server ended it, and lets who asks again in at once.
    socket.end(1008);
    const again = await line(1);
    again.say(vehicles);
    expect(screen.getByTestId('map').dataset.source).toBe('/api/v1/map-sources/osm/{z}/{x}/{y}?until=2');
    // It stays open for longer than an address holds.
    again.say({ type: 'map_sources', payload: { items: offer(3) } });
    expect(screen.getByTestId('map').dataset.source).toBe('/api/v1/map-sources/osm/{z}/{x}/{y}?until=3');
  });

  it('says so while nothing was heard of a vehicle', async () => {
    await show();
    const payload = { vehicles: [{ number: 0, name: 'Truk 1' }], expires_at: '2026-12-01T00:00:00Z' };
    (await line(0)).say({ type: 'vehicles', payload });
    expect(await screen.findByText('Belum ada posisi')).toBeTruthy();
    expect(screen.queryByTestId('speed')).toBeNull();
  });

  it('calls a vehicle offline after its own time', async () => {
    await show();
    const socket = await line(0);
    const position = { ...at10, recorded_at: new Date(Date.now() - 30 * 60_000).toISOString() };
    const say = (own: object) => {
      const payload = { ...vehicles.payload, vehicles: [{ number: 0, name: 'Truk 1', position, ...own }] };
      socket.say({ type: 'vehicles', payload });
    };
    say({ stale_seconds: 3_600, offline_seconds: 7_200 });
    expect((await screen.findByTestId('speed')).textContent).toBe('41 km/jam');
    say({});
    expect(screen.queryByTestId('speed')).toBeNull();
  });

  it('asks for the PIN, says when it is wrong, and not again when the page is loaded again', async () => {
    answer = () => HttpResponse.json({ needs_pin: true, session_token: '', ticket: '' });
    await show();
    const field = await screen.findByLabelText('PIN');
    answer = () => refused(422, 'invalid', { pin: 'PIN ini salah.' });
    await userEvent.type(field, '00a00');
    await userEvent.click(screen.getByRole('button', { name: 'Buka' }));
    expect((await screen.findByRole('alert')).textContent).toBe('PIN ini salah.');
    expect(asked[1]).toEqual({ url_token: 'token', pin: '0000' });
    answer = opened;
    await userEvent.clear(field);
    await userEvent.type(field, '4821{Enter}');
    (await line(0)).say(vehicles);
    expect(await screen.findByTestId('map')).toBeTruthy();
    cleanup();
    await show();
    await line(1);
    expect(asked.at(-1)).toEqual({ url_token: 'token', session_token: 'session' });
  });

  it.each([
    ['share_link_expired', 'Tautan ini sudah kedaluwarsa'],
    ['share_link_withdrawn', 'Tautan ini sudah dicabut'],
    ['share_link_over', 'Tautan ini tidak berlaku'],
  ])('says why it shows nothing: %s', async (code, title) => {
    answer = () => refused(404, code);
    await show();
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  });

  it('asks nobody about an address that is not whole', async () => {
    await show('');
    expect(await screen.findByRole('heading', { name: 'Tautan ini tidak berlaku' })).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('says at once that the link was revoked while it was open', async () => {
    await show();
    const socket = await line(0);
    socket.say(vehicles);
    answer = () => refused(404, 'share_link_withdrawn');
    socket.end(1008);
    expect(await screen.findByRole('heading', { name: 'Tautan ini sudah dicabut' })).toBeTruthy();
    expect(screen.queryByTestId('map')).toBeNull();
  });

  it('keeps what it shows while the connection is away, and connects again', async () => {
    await show();
    const socket = await line(0);
    socket.say(vehicles);
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
    try {
      socket.end(1006);
      expect(screen.getByText('Menyambung kembali…')).toBeTruthy();
      expect(screen.getByTestId('map').textContent).toBe('Truk 1 -6.2');
      (await line(1)).say(vehicles);
      expect(await screen.findByText('Live')).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
    expect(asked.at(-1)).toEqual({ url_token: 'token', session_token: 'session' });
  });

  it('has words in every language', async () => {
    try {
      for (const language of LANGUAGES) {
        await i18n.changeLanguage(language);
        await show();
        (await line(Line.all.length - 1)).say(vehicles);
        await screen.findByTestId('map');
        expect(document.body.textContent).not.toMatch(/\b(state|live|over|pin)\.[a-z]+/);
        cleanup();
      }
    } finally {
      await i18n.changeLanguage('id');
    }
  });
});
