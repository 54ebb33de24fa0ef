import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Device } from '@/api/types';
import devicesResource from './devices.resource';
import { changesOf } from '@/resource/calls';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const truck: Device = { ...SAMPLE_DEVICE, primary_driver: 'Budi' };

let devices: Device[];
beforeEach(() => {
  devices = [truck];
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: devices, total: devices.length })),
    http.get(at('/api/v1/devices/:id'), ({ params }) =>
      HttpResponse.json(devices.find(({ id }) => id === params.id) ?? null),
    ),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
  );
});

function show(path = '/devices', permissions?: string[]) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ResourceListPage resource={devicesResource} />, path, store);
}

const drawer = () => screen.findByRole('dialog');

describe('a device that another screen has loaded before', () => {
  it('is edited as it is now', async () => {
    let version: string | null = null;
    server.use(
      http.put(at('/api/v1/devices/device-1'), ({ request }) => {
        version = request.headers.get('if-match');
        return HttpResponse.json(truck);
      }),
    );
    const store = createStore();
    store.dispatch(signedIn(loginAnswer()));
    await changesOf('devices', store.dispatch).newest('device-1');
    devices = [{ ...truck, name: 'Truk baru', row_version: 5 }];
    renderAt(<ResourceListPage resource={devicesResource} />, '/devices?open=device-1&tab=edit', store);
    const form = within(await drawer());
    expect((await form.findByLabelText<HTMLInputElement>(/^Nama/)).value).toBe('Truk baru');
    await userEvent.type(form.getByLabelText(/^Nama/), ' 2');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Ubah Truk baru?' }));
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    await waitFor(() => expect(version).toBe('5'));
  });
});

describe('switching a device off', () => {
  it('says what becomes of it', async () => {
    show('/devices?open=device-1&tab=edit');
    const form = within(await drawer());
    await userEvent.click(await form.findByRole('combobox', { name: /^Status/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Nonaktif' }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await screen.findByText(/^Perangkat ini hilang dari peta .* disimpan dalam riwayat\.$/)).toBeTruthy();
  });
});

describe('the devices screen', () => {
  it('lists devices and says how many', async () => {
    show();
    expect(await screen.findByRole('row', { name: /Truk 1/ })).toBeTruthy();
    expect(screen.getByText('1–1 dari 1')).toBeTruthy();
  });

  it('offers the first act when there is nothing', async () => {
    devices = [];
    show();
    expect(await screen.findByText('Belum ada perangkat')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Tambah perangkat' })).toHaveLength(1);
    // There is nothing to search or to narrow.
    expect(screen.queryByRole('button', { name: 'Tambah filter' })).toBeNull();
  });

  it('tells who may not add any whom to ask', async () => {
    devices = [];
    show('/devices', ['device:list']);
    expect(await screen.findByText(/^Anda belum diberi akses .* Hubungi admin perusahaan Anda\.$/)).toBeTruthy();
    expect(screen.queryByText(/Tambahkan yang pertama/)).toBeNull();
  });

  it('shows the words of the server and tries again', async () => {
    let calls = 0;
    server.use(
      http.get(at('/api/v1/devices'), () =>
        ++calls === 1
          ? HttpResponse.json({ error: 'unavailable', message: 'Basis data tidak tersedia.' }, { status: 503 })
          : HttpResponse.json({ items: devices, total: 1 }),
      ),
    );
    show();
    expect(await screen.findByText('Basis data tidak tersedia.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    expect(await screen.findByText('Truk 1')).toBeTruthy();
  });

  it('sorts on the server', async () => {
    const sorts: (string | null)[] = [];
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) => {
        sorts.push(new URL(request.url).searchParams.get('sort'));
        return HttpResponse.json({ items: devices, total: 1 });
      }),
    );
    const { router } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Nopol' }));
    await waitFor(() => expect(sorts).toEqual(['name', 'vehicle_code']));
    await userEvent.click(screen.getByRole('button', { name: 'Nopol' }));
    await waitFor(() => expect(sorts).toEqual(['name', 'vehicle_code', '-vehicle_code']));
    expect(router.state.location.search).toBe('?sort=-vehicle_code');
  });
});

describe('the device form', () => {
  it('asks for IMEI and name', async () => {
    show('/devices?open=new');
    const form = within(await drawer());
    await userEvent.click(form.getByRole('button', { name: 'Tambah perangkat' }));
    expect(await form.findByText('IMEI dan nama perangkat wajib diisi.')).toBeTruthy();
    expect(form.getAllByText('Wajib diisi.')).toHaveLength(2);
  });

  it('makes one device of three clicks before anything is drawn', async () => {
    let made = 0;
    server.use(
      http.post(at('/api/v1/devices'), () => {
        made += 1;
        return HttpResponse.json({ ...truck, id: 'device-2' }, { status: 201 });
      }),
    );
    show('/devices?open=new');
    const form = within(await drawer());
    await userEvent.type(form.getByLabelText(/^Nama/), 'Truk 2');
    await userEvent.type(form.getByLabelText(/^IMEI/), '356938035643809');
    const save = form.getByRole('button', { name: 'Tambah perangkat' });
    act(() => {
      for (let click = 0; click < 3; click++) save.click();
    });
    expect(await screen.findByText(/baru berhasil ditambahkan/)).toBeTruthy();
    expect(made).toBe(1);
  });

  it('says before saving that an IMEI looks mistyped, creates the device, and keeps a mark', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/api/v1/devices'), async ({ request }) => {
        sent = await request.json();
        const created = {
          ...truck,
          id: 'device-2',
          name: 'Truk 2',
          imei: '356938035643800',
          warnings: ['imei_check_digit'],
        };
        devices = [...devices, created];
        return HttpResponse.json(created, { status: 201 });
      }),
    );
    show('/devices?open=new');
    const form = within(await drawer());
    await userEvent.type(form.getByLabelText(/^Nama/), 'Truk 2');
    await userEvent.click(form.getByLabelText(/^IMEI/));
    await userEvent.paste('35-693803-564380-0');
    expect(form.getByText(/Digit terakhir tidak cocok/)).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Tambah perangkat' }));
    const question = within(await screen.findByRole('dialog', { name: 'Simpan IMEI ini?' }));
    expect(sent).toBeUndefined();
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    const row = within((await screen.findByText('Truk 2')).closest('tr') as HTMLElement);
    expect(row.getByText('Digit cek salah')).toBeTruthy();
    expect(sent).toEqual({
      name: 'Truk 2',
      imei: '356938035643800',
      odometer_source: 'device',
      engine_hours_source: 'computed',
      sim_number: '',
      max_parking_time: 0,
      speed_limit: 0,
      status: 'active',
      user_id: '',
      icon_type: 'car',
      vehicle_code: '',
      primary_driver_id: '',
      group_ids: '',
      gps_brand_id: '',
      gps_model_id: '',
      gps_protocol_id: '',
      vehicle_brand_id: '',
      vehicle_model_id: '',
      vehicle_type_id: '',
      vehicle_status_id: '',
      device_category_id: '',
      cargo_category_id: '',
      temperature_range_id: '',
      warehouse_id: '',
      tracker_serial_number: '',
      engine_number: '',
      chassis_number: '',
      license_expiry: '',
      capacity_volume: 0,
      capacity_weight: 0,
      has_hazmat_certificate: false,
      fuel_capacity: 0,
      fuel_source: 'liter',
      fuel_table: '',
      ignition_wire: 'found',
      maintenance_status: '',
      wms_routing_profile: '',
      allowed_zones: '',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('puts what the server says at its field and keeps what was typed', async () => {
    const body = {
      error: 'conflict',
      message: 'IMEI sudah dipakai.',
      fields: { imei: 'Sudah dipakai perangkat lain.' },
    };
    server.use(http.post(at('/api/v1/devices'), () => HttpResponse.json(body, { status: 409 })));
    show('/devices?open=new');
    const form = within(await drawer());
    await userEvent.type(form.getByLabelText(/^Nama/), 'Truk 2');
    await userEvent.type(form.getByLabelText(/^IMEI/), truck.imei);
    await userEvent.click(form.getByRole('button', { name: 'Tambah perangkat' }));
    expect(await form.findByText('Sudah dipakai perangkat lain.')).toBeTruthy();
    expect(form.getByText('Gagal menyimpan perangkat. IMEI sudah dipakai.')).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>(/^Nama/).value).toBe('Truk 2');
  });

  it('says that somebody has to decide whose tracker it is, and why one was refused', async () => {
    devices = [{ ...truck, imei_status: 'pending' }];
    const { unmount } = show('/devices?open=device-1&tab=edit');
    const form = within(await drawer());
    expect(await form.findByText(/Pengelola platform harus memastikan dulu/)).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText('Menunggu peninjauan')).toHaveLength(2));
    unmount();
    devices = [{ ...truck, imei_status: 'rejected', imei_reason: 'Kirim fakturnya.' }];
    show('/devices?open=device-1&tab=edit');
    expect(await within(await drawer()).findByText(/Pengelola platform menolak: Kirim fakturnya\./)).toBeTruthy();
  });

  it('asks before a change, and after a conflict takes over theirs without losing what was typed', async () => {
    const sent: { version: string | null; body: unknown }[] = [];
    server.use(
      http.put(at('/api/v1/devices/:id'), async ({ request }) => {
        sent.push({ version: request.headers.get('if-match'), body: await request.json() });
        if (sent.length > 1) return HttpResponse.json({ ...truck, row_version: 6 });
        devices = [{ ...truck, row_version: 5, sim_number: '0812', name: 'Truk A' }];
        return HttpResponse.json({ error: 'version_mismatch', message: 'x' }, { status: 412 });
      }),
    );
    show('/devices?open=device-1&tab=edit');
    const name = await screen.findByLabelText(/^Nama/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Truk satu');
    await userEvent.click(screen.getByRole('button', { name: 'Simpan perubahan' }));
    await screen.findByText('Ubah Truk 1?');
    await userEvent.click(screen.getByRole('button', { name: 'Simpan' }));
    const versions = within(await screen.findByRole('dialog', { name: 'Sudah diubah oleh orang lain' }));
    expect(
      versions.getByRole<HTMLInputElement>('radio', { name: /^Nomor kartu SIM, Versi mereka: 0812/ }).checked,
    ).toBe(true);
    expect(versions.getByRole<HTMLInputElement>('radio', { name: /^Nama, Versi Anda: Truk satu/ }).checked).toBe(true);
    await userEvent.click(versions.getByRole('button', { name: 'Gabungkan' }));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Nomor kartu SIM/).value).toBe('0812'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Nama/).value).toBe('Truk satu');
    await userEvent.click(screen.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Simpan' }));
    await waitFor(() => expect(sent.map(({ version }) => version)).toEqual(['4', '5']));
    // Theirs is on the server already.
    expect(sent[1]?.body).toEqual({ name: 'Truk satu' });
  });

  it('does not take back what somebody else changed when their version was only looked at', async () => {
    const versions: (string | null)[] = [];
    server.use(
      http.put(at('/api/v1/devices/:id'), ({ request }) => {
        versions.push(request.headers.get('if-match'));
        devices = [{ ...truck, row_version: 5, sim_number: '0812' }];
        return HttpResponse.json({ error: 'version_mismatch', message: 'x' }, { status: 412 });
      }),
    );
    show('/devices?open=device-1&tab=edit');
    const name = await screen.findByLabelText(/^Nama/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Truk satu');
    for (const times of [1, 2]) {
      await userEvent.click(screen.getByRole('button', { name: 'Simpan perubahan' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Simpan' }));
      const theirs = within(await screen.findByRole('dialog', { name: 'Sudah diubah oleh orang lain' }));
      await userEvent.click(theirs.getByRole('button', { name: 'Batal' }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sudah diubah oleh orang lain' })).toBeNull());
      expect(versions).toEqual(Array(times).fill('4'));
    }
  });

  it('asks before it deletes', async () => {
    server.use(
      http.delete(at('/api/v1/devices/:id'), () => {
        devices = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show('/devices?open=device-1&tab=edit');
    await userEvent.click(await screen.findByRole('button', { name: 'Hapus' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus Truk 1?' }));
    // It can be brought back: no name has to be typed.
    expect(question.queryByRole('textbox')).toBeNull();
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    expect(await screen.findByText('Perangkat berhasil dihapus.')).toBeTruthy();
    expect(await screen.findByText('Belum ada perangkat')).toBeTruthy();
  });

  it('has a number typed before it deletes many, and not for one', async () => {
    devices = [truck, { ...truck, id: 'device-2', name: 'Truk 2' }];
    show();
    const ask = async (name: string) => {
      await userEvent.click(await screen.findByRole('checkbox', { name: `Pilih ${name}` }));
      await userEvent.click(screen.getByRole('button', { name: 'Hapus' }));
      return within(await drawer());
    };
    const one = await ask('Truk 1');
    expect(one.queryByRole('textbox')).toBeNull();
    await userEvent.click(one.getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await ask('Truk 2')).getByRole('textbox')).toBeTruthy();
  });

  it('asks before what was typed is lost', async () => {
    show('/devices?open=new');
    const form = within(await drawer());
    await userEvent.type(form.getByLabelText(/^Nama/), 'x');
    await userEvent.click(form.getByRole('button', { name: 'Batal' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
