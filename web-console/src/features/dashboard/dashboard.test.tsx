import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventEntry, EventSummary } from '@/api/generated';
import { dayBegins, dayOf } from '@/i18n/timeZone';
import { connectionChanged } from '@/live/connectionSlice';
import { live } from '@/live/live';
import { signedIn, userSelected } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DashboardPage } from './DashboardPage';

setUpTestServer();

const ZONE = 'Asia/Jakarta';
const EVERYTHING = ['position:live', 'event:list', 'document:list', 'maintenance:list', 'device:list', 'user:list'];
const HOUR = 3_600_000;

const event = (change: Partial<EventEntry>): EventEntry => ({
  id: 'event-1',
  tenant_id: 'tenant-1',
  kind: 'vehicle.idling',
  device_id: 'device-1',
  device_name: 'Truk Satu',
  subject_id: 'device-1',
  title: '',
  value: 900,
  occurred_at: new Date(Date.now() - 2 * HOUR).toISOString(),
  recorded_at: new Date(Date.now() - 2 * HOUR).toISOString(),
  ...change,
});

/** The events of today. */
const SUMMARY: EventSummary = {
  items: [
    { kind: 'alarm.sos', count: 2 },
    { kind: 'device.offline', count: 7 },
    { kind: 'fuel.drain', count: 1 },
    { kind: 'fuel.fill', count: 6 },
    { kind: 'vehicle.harsh_braking', count: 5 },
    { kind: 'vehicle.ignition_on', count: 1_209 },
    { kind: 'vehicle.overspeed', count: 10 },
    { kind: 'vehicle.towing', count: 1 },
  ],
  total: 1_234,
};

let asked: URLSearchParams[];
let counted: URLSearchParams[];
let newest: EventEntry[];
beforeEach(() => {
  asked = [];
  counted = [];
  newest = [event({}), event({ id: 'event-2', kind: 'alarm.sos', device_id: undefined, device_name: '' })];
  vi.spyOn(live, 'settled').mockReturnValue(true);
  vi.spyOn(live, 'counts').mockReturnValue(COUNTS);
  vi.spyOn(live, 'longestSilent').mockResolvedValue([
    { id: 'device-9', name: 'Truk Sunyi', recordedAt: Date.now() - 3 * HOUR },
  ]);
  server.use(
    http.get(at('/api/v1/events'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: newest, total: newest.length });
    }),
    http.get(at('/api/v1/events/summary'), ({ request }) => {
      counted.push(new URL(request.url).searchParams);
      return HttpResponse.json(SUMMARY);
    }),
    http.get(at('/api/v1/documents/summary'), () =>
      HttpResponse.json({ total: 20, valid: 10, expiring: 4, expired: 2, none: 4 }),
    ),
    http.get(at('/api/v1/meters/day'), () =>
      HttpResponse.json({
        distance: 1_234_567,
        engine_seconds: 7_260,
        heard: 40,
        driven: 12,
        moving_seconds: 100,
        idle_seconds: 3_700,
        trips: 34,
      }),
    ),
    http.get(at('/api/v1/maintenance/summary'), () =>
      HttpResponse.json({ total: 9, scheduled: 1, due_soon: 2, due: 3, overdue: 1, paused: 2, done: 0 }),
    ),
  );
});
afterEach(() => void vi.restoreAllMocks());

const COUNTS = { moving: 12, idle: 1, parked: 5, offline: 2, no_data: 0, alarm: 3 };

function show(permissions: string[] = EVERYTHING) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<DashboardPage />, '/', store);
}

const tile = async (name: string) => within(await screen.findByRole('region', { name }));
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const target = (link: HTMLElement) => link.getAttribute('href');
const today = () => dayOf(Date.now(), ZONE);

describe('the dashboard', () => {
  it('counts the vehicles as the map does, and leads to those in each state', async () => {
    show();
    const vehicles = await tile('Kendaraan saat ini');
    expect(target(vehicles.getByRole('link', { name: 'Bergerak 12' }))).toBe('/maps?states=moving');
    expect(target(vehicles.getByRole('link', { name: 'Tanpa data 0' }))).toBe('/maps?states=no_data');
    expect(vehicles.getAllByRole('link', { name: /\d/ })).toHaveLength(6);
  });

  it('keeps the places of counts that are not known yet', async () => {
    vi.mocked(live.settled).mockReturnValue(false);
    show();
    const vehicles = await tile('Kendaraan saat ini');
    expect(vehicles.getByRole('link', { name: 'Bergerak' }).getAttribute('aria-busy')).toBe('true');
    expect(live.longestSilent).not.toHaveBeenCalled();
  });

  it("counts what has happened on the tenant's day, and leads to it", async () => {
    show();
    const figures = await tile('Hari ini');
    const days = `from=${today()}&to=${today()}`;
    expect(target(await figures.findByRole('link', { name: 'Kejadian 1.234' }))).toBe(`/events?${days}`);
    const alarms = await figures.findByRole('link', { name: 'Alarm 3' });
    expect(target(alarms)).toBe(`/events?kind=alarm.*&kind=device.power_cut&kind=vehicle.towing&${days}`);
    expect(target(await figures.findByRole('link', { name: 'Perawatan jatuh tempo 4' }))).toBe(
      '/maintenance?state=due&state=overdue',
    );
    expect(target(await figures.findByRole('link', { name: 'Notifikasi sistem 7' }))).toBe(
      `/events?kind=device.offline&kind=device.low_battery&${days}`,
    );
    const [call] = counted;
    expect(call?.get('from')).toBe(dayBegins(today(), ZONE)?.toISOString());
    expect(Date.parse(call?.get('to') ?? '') - Date.parse(call?.get('from') ?? '')).toBe(24 * HOUR);
  });

  it('counts the alarms that nobody has acknowledged, and leads to them', async () => {
    server.use(
      http.get(at('/api/v1/alarms'), ({ request }) => {
        const severity = new URL(request.url).searchParams.get('severity');
        return HttpResponse.json({ items: [], total: severity === null ? 7 : severity === 'critical' ? 2 : 5 });
      }),
    );
    show(['alarm:list']);
    const alarms = await tile('Alarm belum ditanggapi');
    expect(target(await alarms.findByRole('link', { name: 'Kritis 2' }))).toBe('/alarms?state=open&severity=critical');
    expect(await alarms.findByRole('link', { name: 'Peringatan 5' })).toBeTruthy();
    const unread = await (await tile('Hari ini')).findByRole('link', { name: /^Belum dibaca .* 7$/ });
    expect(target(unread)).toBe('/alarms?state=open');
  });

  it('sums what the vehicles have driven', async () => {
    show();
    const figures = await tile('Hari ini');
    expect(target(await figures.findByRole('link', { name: 'Jarak tempuh 1.235 km' }))).toBe('/devices');
    expect(await figures.findByRole('link', { name: 'Perjalanan 34' })).toBeTruthy();
    expect(await figures.findByRole('link', { name: 'Waktu mesin menyala 2 jam' })).toBeTruthy();
    const idle = await figures.findByRole('link', { name: 'Waktu idle 1 jam' });
    expect(target(idle)).toBe(`/events?kind=vehicle.idling&from=${today()}&to=${today()}`);
    expect(await figures.findByRole('link', { name: 'Kendaraan yang berjalan 12' })).toBeTruthy();
  });

  it('tells the newest events, with their vehicles', async () => {
    show();
    const recent = await tile('Aktivitas terbaru');
    expect(target(await recent.findByRole('link', { name: 'Truk Satu' }))).toBe('/devices/device-1');
    expect(recent.getAllByRole('listitem')).toHaveLength(2);
    expect(target(recent.getByRole('link', { name: 'Lihat semua' }))).toBe('/events');
    expect(asked.map((search) => [search.get('page_size'), search.has('kind')])).toEqual([['12', false]]);
  });

  it('counts by kind, with one question for all tiles', async () => {
    show();
    const kinds = await tile('Kejadian hari ini menurut jenis');
    expect(await kinds.findByRole('link', { name: 'Overspeed 10' })).toBeTruthy();
    expect(await kinds.findByRole('link', { name: 'Mengemudi kasar 5' })).toBeTruthy();
    expect(await kinds.findByRole('link', { name: 'Dokumen 0' })).toBeTruthy();
    const drained = await kinds.findByRole('link', { name: 'BBM turun drastis 1' });
    expect(target(drained)).toBe(`/events?kind=fuel.drain&from=${today()}&to=${today()}`);
    expect(await kinds.findByRole('link', { name: 'Pengisian BBM 6' })).toBeTruthy();
    expect(counted).toHaveLength(1);
  });

  it('counts documents and maintenance, and leads to their lists', async () => {
    show();
    const documents = await tile('Dokumen');
    expect(target(await documents.findByRole('link', { name: 'Kedaluwarsa dalam 30 hari 4' }))).toBe(
      '/documents?state=expiring',
    );
    const maintenance = await tile('Perawatan');
    expect(target(await maintenance.findByRole('link', { name: 'Segera jatuh tempo 2' }))).toBe(
      '/maintenance?state=due_soon',
    );
    expect(target(await maintenance.findByRole('link', { name: 'Lewat jatuh tempo 1' }))).toBe(
      '/maintenance?state=overdue',
    );
  });

  it('names the vehicles that have been silent for the longest', async () => {
    show();
    const silent = await tile('Paling lama offline');
    expect(target(await silent.findByRole('link', { name: /Truk Sunyi/ }))).toBe('/devices/device-9');
    expect(live.longestSilent).toHaveBeenCalledWith(5);
  });

  it('is of the fleet that is looked at', async () => {
    const { store } = show();
    await screen.findByRole('link', { name: 'Truk Satu' });
    expect(asked.some((search) => search.has('userId'))).toBe(false);
    act(() => void store.dispatch(userSelected('user-7')));
    await waitFor(() => expect([asked, counted].map((all) => all.at(-1)?.get('userId'))).toEqual(['user-7', 'user-7']));
  });

  it('says that the live connection is away', async () => {
    const reconnect = vi.spyOn(live, 'reconnect').mockReturnValue();
    const { store } = show(['position:live']);
    const vehicles = await tile('Kendaraan saat ini');
    expect(vehicles.queryByRole('button')).toBeNull();
    act(() => void store.dispatch(connectionChanged({ state: 'error', problem: 'gave_up' })));
    await userEvent.click(await vehicles.findByRole('button', { name: 'Hubungkan kembali' }));
    expect(reconnect).toHaveBeenCalledOnce();
  });
});

describe('who may not see something', () => {
  it('is asked nothing of it and shown nothing of it', async () => {
    show(['event:list']);
    await screen.findByRole('link', { name: 'Overspeed 10' });
    expect(titles()).toEqual(['Hari ini', 'Aktivitas terbaru', 'Kejadian hari ini menurut jenis']);
    expect(screen.queryByRole('link', { name: /^Dokumen|^Perawatan/ })).toBeNull();
    // The names of vehicles are told, but lead nowhere.
    expect(await screen.findByText(/Truk Satu/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Truk Satu' })).toBeNull();
  });

  it('sees of today only what is to be done, without events', async () => {
    show(['maintenance:list']);
    const figures = await tile('Hari ini');
    expect(await figures.findByRole('link', { name: 'Perawatan jatuh tempo 4' })).toBeTruthy();
    expect(figures.getAllByRole('link')).toHaveLength(1);
    expect([...asked, ...counted]).toEqual([]);
  });

  it('is told so when nothing is left', async () => {
    show([]);
    expect(await screen.findByText('Belum ada yang dapat ditampilkan')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Atur dasbor' })).toBeNull();
    expect([...asked, ...counted]).toEqual([]);
  });
});

describe('a part that has nothing to show', () => {
  it('says what will be there', async () => {
    newest = [];
    vi.mocked(live.longestSilent).mockResolvedValue([]);
    show();
    expect(await screen.findByText(/^Belum ada kejadian/)).toBeTruthy();
    expect(await screen.findByText('Tidak ada kendaraan yang offline.')).toBeTruthy();
  });

  it('says that it could not be loaded, and tries again, while the others go on', async () => {
    let broken = true;
    server.use(
      http.get(at('/api/v1/events'), () =>
        broken ? HttpResponse.json({ error: 'internal', message: 'x' }, { status: 500 }) : undefined,
      ),
    );
    show();
    const recent = await tile('Aktivitas terbaru');
    expect(await recent.findByText('Aktivitas terbaru tidak dapat dimuat')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Kejadian 1.234' })).toBeTruthy();
    broken = false;
    await userEvent.click(recent.getByRole('button', { name: 'Coba lagi' }));
    expect(await recent.findByRole('link', { name: 'Truk Satu' })).toBeTruthy();
  });
});
