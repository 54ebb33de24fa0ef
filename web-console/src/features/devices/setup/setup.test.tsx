import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceMessage, HeardImei } from '@/api/generated';
import type { Device } from '@/api/types';
import { live } from '@/live/live';
import type { LivePosition } from '@/live/position';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt, renderRoutes } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { FirstPacket } from './FirstPacket';
import { SetupPage } from './SetupPage';

setUpTestServer();

const IMEI = '356938035643809';
const made: Device = { ...SAMPLE_DEVICE, imei: IMEI, name: 'Truk baru', gps_model_id: 'model-1' };
const heard: HeardImei = {
  imei: '490154203237518',
  gateways: ['gt06'],
  more_gateways: false,
  first_heard: '2026-11-20T03:00:00Z',
  last_heard: '2026-11-20T03:01:00Z',
  fixes: 12,
  check_digit_ok: true,
};
const refusal: DeviceMessage = {
  outcome: 'refused',
  at: '2026-11-20T03:00:01Z',
  refusal: {
    reason: 'latitude_out_of_range',
    field: 'lat',
    gateway: 'gt06',
    count: 1,
    size: 21,
    is_text: true,
    is_cut: false,
  },
};
const MODEL = { id: 'model-1', kind: 'gps_model', name: 'FMB920', protocol: 'teltonika', port: 5027 };

const PERMISSIONS = [
  ...['device:list', 'device:create', 'device:update', 'position:live', 'position:history'],
  ...['heard_imei:list', 'master_data:list', 'gateway:list'],
];

let device: Device;
let others: Device[];
let reports: string;
let refused: DeviceMessage[];
let sent: Record<string, unknown>[];
let listeners: Set<() => void>;
let position: LivePosition | null;

/** What the live session tells of the device from now on. */
const pushPosition = (more: Partial<LivePosition>) =>
  act(() => {
    const usual = { deviceId: device.id, lat: -6.2, lng: 106.8166, speed: 0, course: null, motion: 'parked' as const };
    const unknown = { motionSince: null, ignition: null, alarm: null, battery: null, charging: null };
    const none = { satellites: null, odometer: null, fuelPercent: null };
    position = { ...usual, ...unknown, ...none, recordedAt: Date.now(), ...more };
    for (const changed of listeners) changed();
  });

beforeEach(() => {
  [device, others, reports, refused, sent, listeners, position] = [made, [], 'ignition, fuel', [], [], new Set(), null];
  vi.spyOn(live, 'watch').mockImplementation((_id, changed) => {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  });
  let shown: { of: LivePosition; device: ReturnType<typeof live.device> } | null = null;
  vi.spyOn(live, 'device').mockImplementation(() => {
    if (!position) return null;
    if (shown?.of !== position) shown = { of: position, device: { position } as ReturnType<typeof live.device> };
    return shown.device;
  });
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: others, total: others.length })),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json(device)),
    http.get(at('/api/v1/devices/:id/messages'), ({ request }) => {
      const items = new URL(request.url).searchParams.get('outcome') === 'refused' ? refused : [];
      return HttpResponse.json({ items });
    }),
    http.post(at('/api/v1/devices'), async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json(device, { status: 201 });
    }),
    http.get(at('/api/v1/heard-imeis'), ({ request }) => {
      const q = new URL(request.url).searchParams.get('q') ?? '';
      const items = [heard].filter(({ imei }) => imei.includes(q));
      return HttpResponse.json({ items, total: items.length });
    }),
    http.get(at('/api/v1/master-data'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/master-data/:id'), () => HttpResponse.json({ ...MODEL, reports })),
  );
});

function show(path: string, permissions = PERMISSIONS) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  const routes = [
    { path: '/devices/setup', element: <SetupPage /> },
    { path: '*', element: <h1>Lain</h1> },
  ];
  return renderRoutes(routes, path, store);
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const part = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the guided way for a new device', () => {
  it('goes from the IMEI over the vehicle to the first packet', async () => {
    const { router } = show('/devices/setup');
    const imei = await screen.findByRole('textbox', { name: /^IMEI/ });
    await userEvent.type(imei, '35-693803-564380-0');
    expect(await screen.findByText(/Digit terakhir tidak cocok/)).toBeTruthy();
    await userEvent.clear(imei);
    await userEvent.type(imei, '35-693803-564380-9');
    expect(await screen.findByText('Belum ada data, sejauh yang dapat Anda lihat.')).toBeTruthy();
    expect(screen.queryByText(/Digit terakhir tidak cocok/)).toBeNull();
    await press('Lanjutkan');
    const name = await screen.findByRole('textbox', { name: /^Nama/ });
    expect(document.activeElement).toBe(name);
    await press('Tambah perangkat');
    expect(await screen.findByText('IMEI dan nama perangkat wajib diisi.')).toBeTruthy();
    await userEvent.type(name, 'Truk baru');
    await press('Tambah perangkat');
    expect(await screen.findByText('Menunggu paket pertama…')).toBeTruthy();
    expect(sent).toEqual([expect.objectContaining({ imei: IMEI, name: 'Truk baru' })]);
    expect(router.state.location.search).toBe('?device_id=device-1');
    pushPosition({ speed: 42, satellites: 9 });
    const shown = await part('Paket pertama');
    expect(shown.getByText('-6.200000, 106.816600')).toBeTruthy();
    expect(shown.getByText('42 km/jam')).toBeTruthy();
    expect(shown.getByText('9')).toBeTruthy();
    expect(shown.queryByText('Menunggu paket pertama…')).toBeNull();
  });

  it('stays at the tracker while that is wrong, and says what the server says at its field', async () => {
    show('/devices/setup');
    await press('Lanjutkan');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Tambah perangkat' })).toBeNull();
    await userEvent.type(screen.getByRole('textbox', { name: /^IMEI/ }), IMEI);
    await press('Lanjutkan');
    await userEvent.type(await screen.findByRole('textbox', { name: /^Nama/ }), 'Truk baru');
    const fields = { imei: 'Sudah dipakai perangkat Anda “Truk 1”.' };
    server.use(
      http.post(at('/api/v1/devices'), () =>
        HttpResponse.json({ error: 'conflict', message: 'Sudah dipakai.', fields }, { status: 409 }),
      ),
    );
    await press('Tambah perangkat');
    await userEvent.click(await screen.findByRole('button', { name: `IMEI / ID pelacak: ${fields.imei}` }));
    expect(await screen.findByRole('button', { name: 'Lanjutkan' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^IMEI/ }));
  });

  it('takes over an IMEI that was heard, and leads to the device that has one already', async () => {
    show('/devices/setup');
    await press('Pilih yang sudah mengirim data');
    await press(new RegExp(heard.imei));
    const imei = screen.getByRole<HTMLInputElement>('textbox', { name: /^IMEI/ });
    expect(imei.value).toBe(heard.imei);
    expect(await screen.findByText(/^Mengirim data lewat gt06/)).toBeTruthy();
    others = [{ ...made, id: 'device-2', name: 'Truk lama', imei: IMEI }];
    await userEvent.clear(imei);
    await userEvent.type(imei, IMEI);
    expect(await screen.findByText('Sudah menjadi IMEI Truk lama.')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Lanjutkan penyiapannya' });
    expect(link.getAttribute('href')).toBe('/devices/setup?device_id=device-2');
    cleanup();
    // Who may not know what was heard is told nothing of it.
    show(`/devices/setup?imei=${heard.imei}`, ['device:list', 'device:create']);
    expect(await screen.findByDisplayValue(heard.imei)).toBeTruthy();
    expect(await screen.findByText(/ditinjau pengelola platform/)).toBeTruthy();
    expect(screen.queryByText(/^Mengirim data lewat/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Pilih yang sudah mengirim data' })).toBeNull();
  });

  it('takes a tracker without IMEI, and points out one that differs by case alone', async () => {
    others = [{ ...made, id: 'device-2', name: 'Hape lama', imei: 'HAPE_budi' }];
    show('/devices/setup');
    await userEvent.type(await screen.findByRole('textbox', { name: /^IMEI/ }), ' hape_Budi ');
    expect(await screen.findByText(/^HAPE_budi milik Hape lama hanya berbeda/)).toBeTruthy();
    expect(screen.getByText(/^ID seperti ini dapat ditebak/)).toBeTruthy();
    await press('Lanjutkan');
    await userEvent.type(await screen.findByRole('textbox', { name: /^Nama/ }), 'Hape baru');
    await press('Tambah perangkat');
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ imei: 'hape_Budi', name: 'Hape baru' })]));
  });

  it('begins as another device is, but for what is its own', async () => {
    device = { ...made, icon_type: 'bus' };
    const { router } = show('/devices/setup?like=device-1');
    expect(await screen.findByText(/^Dengan pengaturan Truk baru/)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^IMEI/ }).value).toBe('');
    const facts = await part('Yang diketahui tentang alat GPS ini');
    expect(facts.getByText('kontak, BBM')).toBeTruthy();
    expect(facts.getByText('5027')).toBeTruthy();
    await userEvent.type(screen.getByRole('textbox', { name: /^IMEI/ }), '490154203237518');
    await press('Lanjutkan');
    await userEvent.type(await screen.findByRole('textbox', { name: /^Nama/ }), 'Bus dua');
    await press('Tambah perangkat');
    await waitFor(() => expect(router.state.location.search).toBe('?device_id=device-1'));
    expect(sent).toEqual([
      expect.objectContaining({ imei: '490154203237518', name: 'Bus dua', gps_model_id: 'model-1', icon_type: 'bus' }),
    ]);
  });

  it('asks before what was typed is lost, and is for those alone who may add devices', async () => {
    const { router } = show('/devices/setup');
    await userEvent.type(await screen.findByRole('textbox', { name: /^IMEI/ }), '35');
    await act(() => router.navigate('/maps'));
    await press('Tetap di sini');
    expect(screen.getByDisplayValue('35')).toBeTruthy();
    cleanup();
    show('/devices/setup', ['device:list']);
    expect(await screen.findByText('Anda tidak punya akses untuk menyiapkan perangkat.')).toBeTruthy();
  });
});

describe('the first packet', () => {
  it('shows what was refused, and why', async () => {
    refused = [refusal];
    show('/devices/setup?device_id=device-1');
    const list = within(await screen.findByRole('list', { name: 'Ditolak' }));
    expect(list.getByText(/lat$/)).toBeTruthy();
    expect(screen.getByText('Menunggu paket pertama…')).toBeTruthy();
  });

  it('says what to look after once nothing has come for minutes', async () => {
    const props = { device: { ...made, sim_number: '0812' }, fix: null, refused: [], onNext: vi.fn() };
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ permissions: PERMISSIONS })));
    renderAt(<FirstPacket {...props} since={Date.now()} />, '/', store);
    expect(await screen.findByText('Menunggu paket pertama…')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Belum ada? Periksa ini' })).toBeNull();
    cleanup();
    renderAt(<FirstPacket {...props} since={Date.now() - 10 * 60_000} />, '/', store);
    const checks = await part('Belum ada? Periksa ini');
    expect(checks.getByText(/^Kartu SIM 0812/)).toBeTruthy();
    expect(await checks.findByText(/biasanya 5027/)).toBeTruthy();
    expect(checks.getByText(new RegExp(IMEI))).toBeTruthy();
    expect(checks.getByRole('link', { name: 'Tampilkan gateway' })).toBeTruthy();
  });

  it('says that a claim waits, and why one was refused', async () => {
    device = { ...made, imei_status: 'pending' };
    show('/devices/setup?device_id=device-1');
    expect(await screen.findByText(/Pengelola platform meninjau klaimnya/)).toBeTruthy();
    expect(screen.queryByText('Menunggu paket pertama…')).toBeNull();
    cleanup();
    device = { ...made, imei_status: 'rejected', imei_reason: 'Kirim fakturnya.' };
    show('/devices/setup?device_id=device-1');
    expect(await screen.findByText(/Pengelola platform menolak: Kirim fakturnya\./)).toBeTruthy();
  });
});

describe('the test of a device', () => {
  it('sees the ignition, asks whether the fuel is right, and sums it up', async () => {
    const { router } = show('/devices/setup?device_id=device-1&step=test');
    const ignition = await part('Kontak');
    expect(ignition.getByText('Putar kunci kontak ke ON.')).toBeTruthy();
    const now = Date.now();
    pushPosition({ ignition: true, recordedAt: now, fuelPercent: 60 });
    expect(ignition.getByText(/^Terbaca ON pukul/)).toBeTruthy();
    expect(ignition.getByText('Sekarang putar ke OFF.')).toBeTruthy();
    pushPosition({ ignition: false, recordedAt: now + 1000, fuelPercent: 60 });
    expect(ignition.getByText(/^Terbaca OFF pukul/)).toBeTruthy();
    expect(ignition.getByText('Berhasil')).toBeTruthy();

    const fuel = await part('BBM');
    expect(fuel.getByText('60 %')).toBeTruthy();
    await userEvent.click(fuel.getByRole('button', { name: 'Tidak cocok' }));
    await press('Lewati: Odometer');
    await press('Lewati: Gerakan');
    await press('Tetap uji: Gerakan');
    await press('Selesai');
    const results = within(await screen.findByRole('list', { name: 'Hasil pengujian' }));
    const result = (of: string) => results.getAllByRole('listitem').find((line) => line.textContent?.startsWith(of));
    expect(result('Paket pertama')?.textContent).toContain('Berhasil');
    expect(result('Kontak')?.textContent).toContain('Berhasil');
    expect(result('BBM')?.textContent).toContain('Tidak cocok');
    expect(result('Odometer')?.textContent).toContain('Dilewati');
    expect(result('Gerakan')?.textContent).toContain('Belum diuji');
    expect(screen.getByRole('heading', { name: 'Hasil' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Buka perangkat' }).getAttribute('href')).toBe('/devices/device-1');
    await userEvent.click(screen.getByRole('link', { name: 'Perangkat berikut seperti ini' }));
    expect(router.state.location.search).toBe('?like=device-1');
  });

  it('warns when the model should report what it does not', async () => {
    show('/devices/setup?device_id=device-1&step=test');
    const fuel = await part('BBM');
    const now = Date.now();
    for (const second of [0, 1, 2]) pushPosition({ recordedAt: now + second * 1000 });
    expect(await fuel.findByText(/^Model ini seharusnya melaporkan BBM/)).toBeTruthy();
    expect((await part('Kontak')).getByText(/periksa kabel kontaknya/)).toBeTruthy();
    cleanup();
    reports = '';
    show('/devices/setup?device_id=device-1&step=test');
    await part('BBM');
    for (const second of [3, 4, 5]) pushPosition({ recordedAt: now + second * 1000 });
    expect(await screen.findByText('Alat GPS ini tidak melaporkan BBM.')).toBeTruthy();
  });
});
