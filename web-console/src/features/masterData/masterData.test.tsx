import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MasterDataEntry } from '@/api/generated';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import resource from './master-data.resource';

setUpTestServer();

const hino: MasterDataEntry = {
  id: 'hino',
  tenant_id: 'tenant-1',
  kind: 'vehicle_brand',
  name: 'Hino',
  label: 'Hino',
  parent: '',
  protocol: '',
  port: 0,
  reports: '',
  vehicle_type: '',
  icon_type: 'unspecified',
  fuel_capacity: 0,
  min_temperature: 0,
  max_temperature: 0,
  address: '',
  description: '',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 3,
};
const isuzu: MasterDataEntry = { ...hino, id: 'isuzu', tenant_id: undefined, name: 'Isuzu', label: 'Isuzu' };
const dutro: MasterDataEntry = {
  ...hino,
  id: 'dutro',
  kind: 'vehicle_model',
  name: 'Dutro',
  label: 'Hino Dutro',
  parent_id: 'hino',
  parent: 'Hino',
  fuel_capacity: 100,
};

let entries: MasterDataEntry[];
let asked: URLSearchParams[];
let sent: string[];

beforeEach(() => {
  entries = [hino, isuzu, dutro];
  asked = [];
  sent = [];
  server.use(
    http.get(at('/api/v1/master-data/:id'), ({ params }) =>
      HttpResponse.json(entries.find(({ id }) => id === params.id) ?? null),
    ),
    http.get(at('/api/v1/master-data'), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      const ids = search.getAll('ids');
      const items = entries.filter(({ id, kind }) => (ids.length > 0 ? ids.includes(id) : kind === search.get('kind')));
      return HttpResponse.json({ items, total: items.length });
    }),
  );
});

const ALL = ['list', 'create', 'update', 'delete', 'export'].map((act) => `master_data:${act}`);

function show(more = '') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ALL })));
  return renderAt(<ResourceListPage resource={resource} />, `/master-data${more}`, store);
}

const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const drawer = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the kinds', () => {
  it('are chosen by tabs, which change columns and filters and stand in the address', async () => {
    const { router } = show();
    await screen.findByRole('tab', { name: 'Merek GPS', selected: true });
    await waitFor(() => expect(asked.at(-1)?.get('kind')).toBe('gps_brand'));
    await userEvent.click(screen.getByRole('tab', { name: 'Model kendaraan' }));
    expect(router.state.location.search).toBe('?kind=vehicle_model');
    expect(await screen.findByText('Dutro')).toBeTruthy();
    expect(headers()).toEqual(expect.arrayContaining(['Merek', 'Jenis kendaraan']));
    await userEvent.click(screen.getByRole('tab', { name: 'Gudang' }));
    await waitFor(() => expect(asked.at(-1)?.get('kind')).toBe('warehouse'));
    expect(await screen.findByText('Belum ada data master')).toBeTruthy();
  });

  it('remember their own columns', async () => {
    show('?kind=vehicle_model');
    await screen.findByText('Dutro');
    await userEvent.click(screen.getByRole('button', { name: 'Kolom dan kerapatan' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Keterangan' }));
    await waitFor(() => expect(headers()).not.toContain('Keterangan'));
    await userEvent.click(screen.getByRole('tab', { name: 'Merek kendaraan' }));
    await screen.findByText('Isuzu');
    expect(headers()).toContain('Keterangan');
    await userEvent.click(screen.getByRole('tab', { name: 'Model kendaraan' }));
    await screen.findByText('Dutro');
    expect(headers()).not.toContain('Keterangan');
  });

  it('give a new entry its fields, and stay when filters go', async () => {
    let body: unknown;
    server.use(
      http.post(at('/api/v1/master-data'), async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({ ...dutro, id: 'ranger' }, { status: 201 });
      }),
    );
    show('?kind=vehicle_model&is_own=true');
    await screen.findByText('Dutro');
    await userEvent.click(screen.getByRole('button', { name: 'Hapus semua' }));
    await waitFor(() => expect(asked.at(-1)?.has('is_own')).toBe(false));
    expect(asked.at(-1)?.get('kind')).toBe('vehicle_model');
    await userEvent.click(screen.getByRole('button', { name: 'Tambah data master' }));
    const form = await drawer('Data master baru');
    expect(form.queryByLabelText('Port')).toBeNull();
    await userEvent.type(form.getByLabelText(/^Nama/), 'Ranger');
    await userEvent.click(form.getByRole('button', { name: 'Tambah data master' }));
    expect((await form.findAllByText(/Pilih mereknya\./)).length).toBeGreaterThan(0);
    await userEvent.click(form.getByRole('combobox', { name: /^Merek/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Hino' }));
    await userEvent.click(form.getByRole('button', { name: 'Tambah data master' }));
    await waitFor(() =>
      expect(body).toEqual({
        kind: 'vehicle_model',
        name: 'Ranger',
        parent_id: 'hino',
        vehicle_type_id: '',
        fuel_capacity: 0,
        description: '',
      }),
    );
  });
});

describe('an entry of the platform', () => {
  it('is only to be looked at', async () => {
    show('?kind=vehicle_brand&open=isuzu');
    const form = await drawer('Isuzu');
    expect(await form.findByText(/hanya dapat diubah oleh pengelola platform/)).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>(/^Nama/).readOnly).toBe(true);
    expect(form.queryByRole('button', { name: 'Hapus' })).toBeNull();
    expect(form.queryByRole('button', { name: 'Simpan perubahan' })).toBeNull();
    const row = within(screen.getByRole('row', { name: /Isuzu/, hidden: true }));
    expect(row.getByText('Platform')).toBeTruthy();
  });
});

describe('deleting an entry', () => {
  const usedBy = (devices: number, others: number, names: string[]) =>
    server.use(
      http.get(at('/api/v1/master-data/hino/usage'), () => HttpResponse.json({ devices, entries: others, names })),
    );
  const remove = () =>
    server.use(
      http.delete(at('/api/v1/master-data/hino'), ({ request }) => {
        sent.push(`delete ${request.headers.get('if-match')}`);
        entries = entries.filter(({ id }) => id !== 'hino');
        return new HttpResponse(null, { status: 204 });
      }),
    );
  const begin = async () => {
    show('?kind=vehicle_brand&open=hino');
    await userEvent.click(await (await drawer('Hino')).findByRole('button', { name: 'Hapus' }));
    return drawer('Hapus Hino?');
  };

  it('asks for its name where nothing uses it', async () => {
    usedBy(0, 0, []);
    remove();
    const question = await begin();
    await userEvent.type(question.getByRole('textbox'), 'Hino');
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    await waitFor(() => expect(sent).toEqual(['delete 3']));
  });

  it('says who uses it, replaces it there, and deletes it then', async () => {
    usedBy(12, 1, ['Truk 1', 'Truk 2', 'Hino Dutro']);
    remove();
    server.use(
      http.post(at('/api/v1/master-data/hino/replace'), async ({ request }) => {
        const { replacement_id } = (await request.json()) as { replacement_id: string };
        sent.push(`replace ${replacement_id}`);
        return HttpResponse.json({ devices: 12, entries: 1, names: [] });
      }),
    );
    const question = await begin();
    expect(
      question.getByText('Masih dipakai oleh 12 perangkat dan 1 entri lain: Truk 1, Truk 2, Hino Dutro, ….'),
    ).toBeTruthy();
    const confirm = question.getByRole<HTMLButtonElement>('button', { name: 'Ganti dan hapus' });
    expect(confirm.disabled).toBe(true);
    await userEvent.click(question.getByRole('combobox', { name: /^Pengganti/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Isuzu' }));
    expect(screen.queryByRole('option', { name: 'Hino' })).toBeNull();
    await userEvent.click(confirm);
    await waitFor(() => expect(sent).toEqual(['replace isuzu', 'delete 3']));
    expect(await screen.findByText('Data master berhasil dihapus.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says what went wrong, and goes on from there', async () => {
    usedBy(1, 0, ['Truk 1']);
    remove();
    let refused = true;
    server.use(
      http.post(at('/api/v1/master-data/hino/replace'), () => {
        sent.push('replace');
        return refused
          ? HttpResponse.json({ error: 'conflict', message: 'Model bernama sama sudah ada.' }, { status: 409 })
          : HttpResponse.json({ devices: 1, entries: 0, names: [] });
      }),
    );
    const question = await begin();
    await userEvent.click(question.getByRole('combobox', { name: /^Pengganti/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Isuzu' }));
    await userEvent.click(question.getByRole('button', { name: 'Ganti dan hapus' }));
    expect(await question.findByText('Gagal mengganti. Model bernama sama sudah ada.')).toBeTruthy();
    expect(sent).toEqual(['replace']);
    refused = false;
    await userEvent.click(question.getByRole('button', { name: 'Ganti dan hapus' }));
    await waitFor(() => expect(sent).toEqual(['replace', 'replace', 'delete 3']));
  });

  it('begins with nothing where it cannot be found out', async () => {
    server.use(
      http.get(at('/api/v1/master-data/hino/usage'), () =>
        HttpResponse.json({ error: 'internal', message: 'Rusak.' }, { status: 500 }),
      ),
    );
    show('?kind=vehicle_brand&open=hino');
    await userEvent.click(await (await drawer('Hino')).findByRole('button', { name: 'Hapus' }));
    expect(await screen.findByText('Pemakaian entri ini tidak dapat diperiksa. Rusak.')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Hapus Hino?' })).toBeNull();
  });
});
