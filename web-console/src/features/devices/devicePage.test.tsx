import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntry, DeviceMessage, Motion, TrackPoint } from '@/api/generated';
import type { Device } from '@/api/types';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import { clockAt } from '@/i18n/timeZone';
import { live } from '@/live/live';
import type { LiveDevice } from '@/live/liveDevice';
import type { LivePosition } from '@/live/position';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { ResourcePage } from '@/resource/ResourcePage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import devicesResource from './devices.resource';

// Journeys look at the map itself.
vi.mock('@/map/DayMap', () => ({
  DayMap: ({ label, track }: { label: string; track: unknown[] }) => (
    <div role="region" aria-label={label} data-track={track.length} />
  ),
}));

setUpTestServer();

const truck: Device = {
  ...SAMPLE_DEVICE,
  imei_status: 'pending',
  primary_driver: 'Budi',
  primary_driver_id: 'driver-1',
};

const good: DeviceMessage = {
  outcome: 'accepted',
  at: '2026-11-20T03:00:00Z',
  fix: {
    recorded_at: '2026-11-20T03:00:00Z',
    lat: -6.2,
    lng: 106.8166,
    speed: 41.5,
    course: 90.5,
    alt: 12.3,
    sat: 9,
    valid: true,
    ignition: true,
    odometer: 1_234_500,
    fuel_liter: 40.5,
    fuel_percent: 60,
    batt_percent: 88,
    charge: false,
    gsm_signal: 77,
    motion: 'moving',
    attrs: { 'adc 1': 12 },
  },
};
const bad: DeviceMessage = {
  outcome: 'refused',
  at: '2026-11-20T03:00:01Z',
  refusal: {
    reason: 'latitude_out_of_range',
    field: 'lat',
    gateway: 'gerbang-1',
    count: 1,
    size: 21,
    body: '{"lat": 91, "lng": 1}',
    is_text: true,
    is_cut: false,
  },
};
const jumped: DeviceMessage = {
  outcome: 'accepted',
  at: '2026-11-20T02:59:00Z',
  fix: { recorded_at: '2026-11-20T02:59:00Z', lat: 1.5, lng: 103.25, valid: true, motion: 'moving', mark: 'jump' },
};
const entry: AuditEntry = {
  id: 'entry-1',
  at: '2026-11-19T01:00:00Z',
  actor_name: 'Dewi',
  act: 'device:update',
  object_kind: 'device',
  object_id: truck.id,
  object_name: truck.name,
  address: '203.0.113.7',
  seq: 7,
  hash: 'ab',
  erased: false,
};

let asked: URLSearchParams[];
let messages: (query: URLSearchParams) => { items: DeviceMessage[]; next_cursor?: string };
beforeEach(() => {
  asked = [];
  messages = () => ({ items: [bad, good, jumped] });
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [truck], total: 1 })),
    http.get(at('/api/v1/devices/:id'), ({ params }) =>
      params.id === truck.id
        ? HttpResponse.json(truck)
        : HttpResponse.json({ error: 'not_found', message: 'Tidak ditemukan.' }, { status: 404 }),
    ),
    http.get(at('/api/v1/devices/:id/messages'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      return HttpResponse.json(messages(query));
    }),
    http.get(at('/api/v1/devices/:id/track'), () => HttpResponse.json({ items: [] })),
    http.get(at('/api/v1/last-positions'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/documents'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/driver-assignments'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/devices/:id/access'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/audit'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: [entry], total: 1 });
    }),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/drivers'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/drivers/:id'), () => HttpResponse.json({ id: 'driver-1', name: 'Budi', phone: '0812-3456' })),
  );
});

const ALL = [
  'device:list',
  'device:update',
  'device_member:list',
  'position:live',
  'position:history',
  'driver:list',
  'document:list',
  'audit:list',
];
/** The parts that the resource declares. */
const DECLARED = ['Pengemudi', 'Akses', 'Dokumen'];

function show(path: string, permissions = ALL) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  const routes = [
    { path: '/devices', element: <ResourceListPage resource={devicesResource} /> },
    { path: '/devices/:id', element: <ResourcePage resource={devicesResource} /> },
  ];
  return renderRoutes(routes, path, store);
}

const tab = (name: string) => screen.findByRole('tab', { name });

describe('the page of a device', () => {
  it('is opened from its drawer and leads back to the list as it was', async () => {
    const { router } = show(`/devices?q=truk&open=${truck.id}`);
    const drawer = within(await screen.findByRole('dialog', { name: truck.name }));
    await userEvent.click(drawer.getByRole('link', { name: 'Buka halaman penuh' }));
    expect(await screen.findByRole('heading', { level: 1, name: truck.name })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/devices/device-1');
    expect(document.title).toBe('Truk 1 · Armada');
    await userEvent.click(await tab('Dokumen'));
    await userEvent.click(screen.getByRole('link', { name: 'Kembali ke daftar' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/devices'));
    expect(router.state.location.search).toBe('?q=truk');
  });

  it('has every part that the resource declares, for those who may see it', async () => {
    show('/devices/device-1');
    await tab('Sekarang');
    const tabs = screen.getAllByRole('tab').map((each) => each.textContent);
    expect([tabs[0], ...tabs.slice(-2)]).toEqual(['Sekarang', 'Pesan', 'Jejak audit']);
    expect(tabs).toEqual(expect.arrayContaining(DECLARED));
    expect(await screen.findByText('IMEI menunggu persetujuan')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Budi' })).toBeTruthy();
    const call = await screen.findByRole('link', { name: 'Telepon Budi, 0812-3456' });
    expect(call.getAttribute('href')).toBe('tel:08123456');
  });

  it('says in every language by how much the clock is wrong', async () => {
    let newest = {};
    server.use(
      http.get(at('/api/v1/last-positions'), ({ request }) => {
        const named = new URL(request.url).searchParams.getAll('device_id');
        return HttpResponse.json({ items: [{ device_id: named[0], ...newest }], total: 1 });
      }),
    );
    for (const [language, off, mark, text] of [
      ['id', 140, undefined, 'Jam alat GPS salah: terlalu cepat 2 mnt'],
      ['en', -7_200, undefined, 'Tracker clock is wrong: slow by 2 h 0 min'],
      ['zh', -619_315_200, 'clock_corrected', '定位器时钟错误：慢了 7,168 天（时间已校正）'],
      ['jv', -7_200, undefined, 'Jam alat GPS lepat: kasèp 2 jam 0 mnt'],
    ] as const) {
      await i18n.changeLanguage(language);
      newest = { clock_off_seconds: off, mark };
      const { unmount } = show('/devices/device-1');
      expect(await screen.findByText(text)).toBeTruthy();
      unmount();
    }
    await i18n.changeLanguage('id');
  });

  it('shows nobody what they may not see, and asks for none of it', async () => {
    show('/devices/device-1', ['device:list']);
    await tab('Sekarang');
    expect(screen.getAllByRole('tab').map((each) => each.textContent)).not.toContain('Pesan');
    expect(screen.queryByRole('tab', { name: 'Jejak audit' })).toBeNull();
    expect(await screen.findByText('Peran Anda tidak mencakup posisi real-time.')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('tells what has happened to those who may see events', async () => {
    server.use(http.get(at('/api/v1/events'), () => HttpResponse.json({ items: [], total: 0 })));
    const { unmount } = show('/devices/device-1', ['device:list', 'event:list']);
    await userEvent.click(await tab('Kejadian'));
    expect(await screen.findByText('Belum ada kejadian.')).toBeTruthy();
    unmount();
    show('/devices/device-1', ['device:list']);
    await tab('Sekarang');
    expect(screen.queryByRole('tab', { name: 'Kejadian' })).toBeNull();
  });

  it('is for those alone who may see devices', async () => {
    show('/devices/device-1', []);
    expect(await screen.findByText(/^Anda tidak memiliki akses/)).toBeTruthy();
  });

  it('says that there is no such device', async () => {
    show('/devices/another');
    expect(await screen.findByText('Tidak ditemukan.')).toBeTruthy();
  });

  it('opens what can be changed in the drawer, over the page', async () => {
    const { router } = show('/devices/device-1');
    await userEvent.click(await screen.findByRole('button', { name: 'Ubah' }));
    const drawer = within(await screen.findByRole('dialog', { name: truck.name }));
    expect(drawer.queryByRole('link', { name: 'Buka halaman penuh' })).toBeNull();
    await userEvent.click(await drawer.findByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toBe('');
  });

  it('tells what the vehicle has come to today, when, and where', async () => {
    const now = Date.now();
    const fix = (minutes: number, motion: Motion): TrackPoint => {
      const recorded_at = new Date(now - minutes * 60_000).toISOString();
      return { recorded_at, lat: -6.2, lng: 106.8, valid: true, motion };
    };
    server.use(
      http.get(at('/api/v1/devices/:id/track'), ({ request }) => {
        asked.push(new URL(request.url).searchParams);
        return HttpResponse.json({ items: [fix(9, 'moving'), fix(4, 'parked'), fix(1, 'moving')] });
      }),
    );
    const position: LivePosition = {
      deviceId: truck.id,
      recordedAt: now,
      lat: -6.2,
      lng: 106.8,
      speed: 40,
      course: null,
      motion: 'moving',
      motionSince: null,
      ignition: true,
      alarm: null,
      battery: null,
      charging: null,
      satellites: null,
      odometer: null,
      fuelPercent: null,
      today: { until: now + 3_600_000, distance: 12_400, engine: 3_600, moving: 1_800, idle: 900, parked: 7_200 },
    };
    const device: LiveDevice = {
      id: truck.id,
      imei: truck.imei,
      name: truck.name,
      vehicleCode: '',
      driver: '',
      iconType: 'truck',
      inactive: false,
      state: 'moving',
      position,
    };
    const deviceSpy = vi.spyOn(live, 'device').mockReturnValue(device);
    show('/devices/device-1');
    const today = within(await screen.findByRole('region', { name: 'Hari ini' }));
    expect(today.getByText('12,4 km')).toBeTruthy();
    const did = (what: string) => today.getByText(what).nextElementSibling?.textContent;
    expect(did('Jam mesin')).toMatch(/^1 jam/);
    expect(did('Bergerak')).toMatch(/^30 m/);
    expect(did('Idle')).toMatch(/^15 m/);
    expect(did('Parkir')).toMatch(/^2 jam/);
    expect(await today.findByRole('img', { name: /^Hari ini: Bergerak 6 m.*, Parkir 3 m/ })).toBeTruthy();
    const map = await screen.findByRole('region', { name: 'Peta jejak hari ini' });
    expect(map.dataset.track).toBe('3');
    const begin = asked.find((query) => query.has('from'))?.get('from') ?? '';
    expect(clockAt(Date.parse(begin), 'Asia/Jakarta')).toMatch(/T00:00$/);
    deviceSpy.mockRestore();
  });

  it('has words in every language', async () => {
    try {
      for (const language of LANGUAGES) {
        await i18n.changeLanguage(language);
        const { unmount } = show('/devices/device-1?tab=messages');
        await screen.findAllByRole('listitem');
        for (const line of document.querySelectorAll('details')) line.open = true;
        await waitFor(() => expect(screen.getAllByText(/77 %/)).toBeTruthy());
        expect(document.body.textContent).not.toMatch(/\b(field|messages|tab|page|head|live|valid)\.[a-z_]+/);
        unmount();
      }
    } finally {
      await i18n.changeLanguage('id');
    }
  });
});

describe('the messages of a device', () => {
  const open = async (outcome: string) => {
    const item = document.querySelector<HTMLDetailsElement>(`[data-outcome=${outcome}] details`);
    if (!item) throw new Error(`no ${outcome} message`);
    item.open = true;
    return within(item);
  };

  it('tell every field with its unit', async () => {
    show('/devices/device-1?tab=messages');
    await screen.findByRole('list', { name: 'Pesan perangkat' });
    const item = await open('accepted');
    await item.findByText('Arah');
    const facts = [...document.querySelectorAll('[data-outcome=accepted] dd')].map((each) => each.textContent);
    for (const value of ['41,5 km/jam', '90,5°', '12,3 m', '9', '77 %', 'ON', '40,5 L', '60 %', '88 %', 'Tidak', '12'])
      expect(facts).toContain(value);
    expect(item.getByText('adc 1')).toBeTruthy();
  });

  it('say why one was refused, and what it was', async () => {
    show('/devices/device-1?tab=messages');
    await screen.findByRole('list', { name: 'Pesan perangkat' });
    const item = await open('refused');
    expect(await item.findByText('{"lat": 91, "lng": 1}')).toBeTruthy();
    expect(item.getByText('gerbang-1')).toBeTruthy();
    expect(screen.getByText(/: lat$/)).toBeTruthy();
  });

  it('are narrowed and walked through in the address', async () => {
    messages = (query) => (query.has('cursor') ? { items: [good] } : { items: [bad], next_cursor: '17.3' });
    const { router } = show('/devices/device-1?tab=messages');
    await screen.findByRole('list', { name: 'Pesan perangkat' });
    await userEvent.click(screen.getByRole('button', { name: 'Lebih lama' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&cursor=17.3'));
    await waitFor(() => expect(asked.at(-1)?.get('cursor')).toBe('17.3'));
    await userEvent.click(screen.getByRole('radio', { name: 'Ditolak' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&outcome=refused'));
    await waitFor(() => expect(asked.at(-1)?.get('outcome')).toBe('refused'));
    expect(asked.at(-1)?.has('cursor')).toBe(false);
  });

  it('show which positions do not count, and those alone', async () => {
    const { router } = show('/devices/device-1?tab=messages&outcome=refused');
    await screen.findByRole('list', { name: 'Pesan perangkat' });
    const line = screen.getByText(/1\.5\d*, 103\.25/).closest('summary');
    expect(within(line as HTMLElement).getByText('Lompatan posisi')).toBeTruthy();
    await userEvent.click(screen.getByRole('combobox', { name: 'Tanda mutu' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Yang tidak dihitung' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&mark=any'));
    await waitFor(() =>
      expect(asked.at(-1)?.getAll('mark')).toEqual(['jump', 'few_satellites', 'stuck', 'clock', 'cell_tower']),
    );
    expect(asked.at(-1)?.has('outcome')).toBe(false);
    await userEvent.click(screen.getByRole('radio', { name: 'Ditolak' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&outcome=refused'));
  });
});

describe('the audit of a device', () => {
  it('is of this device alone', async () => {
    show('/devices/device-1?tab=audit');
    expect(await screen.findByText(/^Dewi · /)).toBeTruthy();
    const last = asked.at(-1);
    expect([last?.get('object_kind'), last?.get('object_id')]).toEqual(['device', 'device-1']);
  });
});
