import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Device } from '@/api/types';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import devicesResource from './devices.resource';

setUpTestServer();

const entry = (id: string, kind: string, more: object = {}) => ({ id, kind, name: id, label: id, ...more });
const ENTRIES = [
  entry('Teltonika', 'gps_brand'),
  entry('Concox', 'gps_brand'),
  entry('FMB920', 'gps_model', { label: 'Teltonika FMB920', parent_id: 'Teltonika', protocol_id: 'Codec 8' }),
  entry('GT06N', 'gps_model', { label: 'Concox GT06N', parent_id: 'Concox', protocol_id: 'GT06' }),
  entry('Codec 8', 'gps_protocol'),
  entry('GT06', 'gps_protocol'),
  entry('Utara', 'device_group'),
  entry('Selatan', 'device_group'),
];

let device: Device;
let sent: object[];
let asked: URLSearchParams[];

beforeEach(() => {
  device = SAMPLE_DEVICE;
  sent = [];
  asked = [];
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [device], total: 1 })),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json(device)),
    http.put(at('/api/v1/devices/:id'), async ({ request }) => {
      sent.push((await request.json()) as object);
      return HttpResponse.json({ ...device, row_version: 5 });
    }),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/master-data'), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      const [ids, brand] = [search.getAll('ids'), search.get('parent_id')];
      const items = ENTRIES.filter((each) => {
        if (ids.length > 0) return ids.includes(each.id);
        return each.kind === search.get('kind') && (!brand || (each as { parent_id?: string }).parent_id === brand);
      });
      return HttpResponse.json({ items, total: items.length });
    }),
  );
});

const PERMISSIONS = [
  ...['list', 'create', 'update', 'delete'].map((act) => `device:${act}`),
  'master_data:list',
  'user:list',
];

async function open(address: string, name: string, more: string[] = []) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: [...PERMISSIONS, ...more] })));
  const { router } = renderAt(<ResourceListPage resource={devicesResource} />, `/devices${address}`, store);
  return { router, form: within(await screen.findByRole('dialog', { name })) };
}
type Form = Awaited<ReturnType<typeof open>>['form'];

async function save(form: Form) {
  await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
  const question = within(await screen.findByRole('dialog', { name: 'Ubah Truk 1?' }));
  await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
  await waitFor(() => expect(sent).toHaveLength(1));
}
const choose = async (form: Form, label: RegExp, option: string) => {
  await userEvent.click(form.getByRole('combobox', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};
const valueOf = (form: Form, label: RegExp) => form.getByRole<HTMLInputElement>('combobox', { name: label }).value;

describe('the device form', () => {
  it('opens the tab on which something is wrong, and marks it', async () => {
    const { form } = await open('?open=device-1&tab=edit', 'Truk 1');
    await userEvent.click(await form.findByRole('tab', { name: 'BBM' }));
    await userEvent.clear(form.getByLabelText('Kapasitas tangki'));
    await userEvent.click(form.getByRole('tab', { name: 'Informasi dasar' }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByRole('tab', { name: /^BBM\s*1$/, selected: true })).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('says that another IMEI is another tracker', async () => {
    const { form } = await open('?open=device-1&tab=edit', 'Truk 1');
    const imei = await form.findByLabelText(/^IMEI/);
    expect(form.queryByText(/^Alat GPS diganti/)).toBeNull();
    await userEvent.clear(imei);
    await userEvent.type(imei, '351756051523999');
    expect(form.getByText('Alat GPS diganti: odometer dan jam mesin kendaraan berlanjut.')).toBeTruthy();
    await userEvent.clear(imei);
    await userEvent.type(imei, '35-693803-564380-9');
    expect(form.queryByText(/^Alat GPS diganti/)).toBeNull();
  });

  it('lets a model bring its brand and protocol, and a brand narrow the models', async () => {
    const { form } = await open('?open=device-1&tab=gps', 'Truk 1');
    await form.findByRole('tab', { name: 'GPS & perangkat', selected: true });
    await choose(form, /^Model GPS/, 'Teltonika FMB920');
    await waitFor(() => expect(valueOf(form, /^Merek GPS/)).toBe('Teltonika'));
    await waitFor(() => expect(valueOf(form, /^Protokol GPS/)).toBe('Codec 8'));
    await choose(form, /^Merek GPS/, 'Concox');
    await waitFor(() => expect(valueOf(form, /^Model GPS/)).toBe(''));
    await waitFor(() => expect(asked.some((search) => search.get('parent_id') === 'Concox')).toBe(true));
    await userEvent.click(form.getByRole('combobox', { name: /^Model GPS/ }));
    expect(await screen.findByRole('option', { name: 'Concox GT06N' })).toBeTruthy();
    expect(screen.queryByRole('option', { name: 'Teltonika FMB920' })).toBeNull();
    await userEvent.click(screen.getByRole('option', { name: 'Concox GT06N' }));
    await save(form);
    expect(sent[0]).toEqual({ gps_brand_id: 'Concox', gps_model_id: 'GT06N', gps_protocol_id: 'GT06' });
  });

  it('sends groups as one text', async () => {
    device = { ...SAMPLE_DEVICE, group_ids: 'Utara', groups: 'Utara' };
    const { form } = await open('?open=device-1&tab=edit', 'Truk 1');
    expect(await form.findByText('Utara')).toBeTruthy();
    await choose(form, /^Grup/, 'Selatan');
    await save(form);
    expect(sent[0]).toEqual({ group_ids: 'Utara,Selatan' });
  });

  it('never shows the password: it is set anew, or removed', async () => {
    device = { ...SAMPLE_DEVICE, has_password: true };
    const { form } = await open('?open=device-1&tab=gps', 'Truk 1');
    const field = await form.findByLabelText<HTMLInputElement>('Kata sandi alat GPS');
    expect([field.type, field.value]).toEqual(['password', '']);
    expect(form.getByText(/Kata sandi sudah tersimpan/)).toBeTruthy();
    await userEvent.click(form.getByRole('switch', { name: 'Hapus kata sandi yang ada' }));
    await save(form);
    expect(sent[0]).toEqual({ password: '' });
  });
});

describe('the calibration of its fuel sensor', () => {
  const rows = (form: Form) =>
    form
      .queryAllByRole<HTMLInputElement>('textbox', { name: /^(Nilai sensor|Liter), titik/ })
      .map(({ value }) => value);
  const number = (form: Form, name: string) => form.getByRole<HTMLInputElement>('textbox', { name });

  it('is not asked for where the tracker says litres, and the name only of an attribute', async () => {
    const { form } = await open('?open=device-1&tab=fuel', 'Truk 1');
    const add = await form.findByRole<HTMLButtonElement>('button', { name: 'Tambah titik' });
    expect(add.disabled).toBe(true);
    expect(form.queryByLabelText(/^Nama atribut/)).toBeNull();
    await choose(form, /^Sumber BBM/, 'Atribut sensor');
    expect(add.disabled).toBe(false);
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect((await form.findAllByText('Isi nama atributnya.')).length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
  });

  it('is typed, pasted from a spreadsheet, checked row by row, and drawn', async () => {
    device = { ...SAMPLE_DEVICE, fuel_source: 'attribute', fuel_attribute: 'adc1' };
    const { form } = await open('?open=device-1&tab=fuel', 'Truk 1');
    await userEvent.click(await form.findByRole('button', { name: 'Tambah titik' }));
    expect(rows(form)).toEqual(['', '', '', '']);
    await userEvent.click(number(form, 'Nilai sensor, titik 1'));
    await userEvent.paste('ADC\tLiter\n0\t0\n512\t30,5\n1.023\t60');
    expect(rows(form)).toEqual(['0', '0', '512', '30,5', '1.023', '60']);
    expect(form.getByRole('img', { name: /^Kurva kalibrasi/ })).toBeTruthy();

    await userEvent.clear(number(form, 'Nilai sensor, titik 3'));
    expect(form.getByText('Isi kedua angka.')).toBeTruthy();
    await userEvent.type(number(form, 'Nilai sensor, titik 3'), '500');
    expect(form.getByText('Harus lebih besar daripada titik di atasnya.')).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Hapus titik 2' }));
    expect(rows(form)).toEqual(['0', '0', '500', '60']);
    await userEvent.click(form.getByRole('button', { name: 'Tambah titik' }));
    await save(form);
    expect(sent[0]).toEqual({ fuel_table: '0 0; 500 60' });
  });

  it('has two points at least, or none', async () => {
    device = { ...SAMPLE_DEVICE, fuel_source: 'percent', fuel_table: '0 0; 50.5 20; 100 60' };
    const { form } = await open('?open=device-1&tab=fuel', 'Truk 1');
    await waitFor(() => expect(rows(form)).toEqual(['0', '0', '50,5', '20', '100', '60']));
    for (const name of ['Hapus titik 3', 'Hapus titik 2']) await userEvent.click(form.getByRole('button', { name }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect((await form.findAllByText(/tabel berisi 2 sampai 100 titik/)).length).toBeGreaterThan(0);
    await userEvent.click(form.getByRole('button', { name: 'Kosongkan tabel' }));
    await save(form);
    expect(sent[0]).toEqual({ fuel_table: '' });
  });
});

describe('thresholds of its own', () => {
  it('stand in the place of those of its tenant, and are taken away again', async () => {
    device = { ...SAMPLE_DEVICE, stop_seconds: 600 };
    server.use(
      http.get(at('/api/v1/thresholds'), () =>
        HttpResponse.json({ tenant_id: 'tenant-1', moving_speed: 5, stop_seconds: 300 }),
      ),
    );
    const { form } = await open('?open=device-1&tab=configuration', 'Truk 1', ['threshold:list']);
    const group = within(await form.findByRole('group', { name: 'Ambang batas kendaraan ini' }));
    const speed = group.getByLabelText<HTMLInputElement>('Kecepatan bergerak');
    await waitFor(() => expect([speed.value, speed.placeholder]).toEqual(['', '5']));
    const stop = group.getByLabelText<HTMLInputElement>('Batas berhenti');
    expect([stop.value, stop.placeholder]).toEqual(['10', '5']);
    await userEvent.type(speed, '7');
    await userEvent.clear(stop);
    await save(form);
    expect(sent[0]).toEqual({ moving_speed: 7, stop_seconds: null });
  });

  it('are asked for without those of its tenant by who may not see these', async () => {
    const { form } = await open('?open=device-1&tab=configuration', 'Truk 1');
    const speed = await form.findByLabelText<HTMLInputElement>('Kecepatan bergerak');
    expect(speed.placeholder).toBe('');
  });
});

describe('a copy of a device', () => {
  it('begins with all but what is of one device alone', async () => {
    device = { ...SAMPLE_DEVICE, gps_brand_id: 'Concox', fuel_capacity: 70, engine_number: 'E1', sim_number: '0812' };
    const { form, router } = await open('?open=device-1&tab=edit', 'Truk 1');
    await userEvent.click(await form.findByRole('button', { name: 'Duplikat' }));
    const copy = within(await screen.findByRole('dialog', { name: 'Perangkat baru' }));
    expect(router.state.location.search).toContain('copyOf');
    expect((await copy.findByLabelText<HTMLInputElement>(/^Nama/)).value).toBe('');
    expect(copy.getByLabelText<HTMLInputElement>('Nomor kartu SIM').value).toBe('');
    expect(copy.getByLabelText<HTMLInputElement>('Nomor mesin').value).toBe('');
    expect(copy.getByLabelText<HTMLInputElement>('Kapasitas tangki').value).toBe('70');
    server.use(
      http.post(at('/api/v1/devices'), async ({ request }) => {
        sent.push((await request.json()) as object);
        return HttpResponse.json(device, { status: 201 });
      }),
    );
    await userEvent.type(copy.getByLabelText(/^Nama/), 'Truk 2');
    await userEvent.type(copy.getByLabelText(/^IMEI/), '490154203237518');
    await userEvent.click(copy.getByRole('button', { name: 'Tambah perangkat' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ name: 'Truk 2', icon_type: 'truck', gps_brand_id: 'Concox', fuel_capacity: 70 });
  });
});

describe('several devices', () => {
  it('are given what the question asks for', async () => {
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ permissions: PERMISSIONS })));
    server.use(
      http.post(at('/api/v1/devices/bulk'), async ({ request }) => {
        sent.push((await request.json()) as object);
        return HttpResponse.json({ id: 'job-1', service: 'fleet', status: 'queued', total: 1, done: 0, failed: 0 });
      }),
    );
    renderAt(<ResourceListPage resource={devicesResource} />, '/devices', store);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Pilih Truk 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Atur grup' }));
    const question = within(await screen.findByRole('dialog', { name: 'Atur grup 1 perangkat?' }));
    await userEvent.click(question.getByRole('button', { name: 'Atur grup' }));
    expect((await question.findAllByText(/Wajib diisi\./)).length).toBeGreaterThan(0);
    await userEvent.click(await question.findByRole('combobox', { name: /^Grup/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Utara' }));
    await userEvent.click(question.getByRole('button', { name: 'Atur grup' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['device-1'], update: { group_ids: 'Utara' } }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
