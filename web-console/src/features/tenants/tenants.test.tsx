import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '@/api/types';
import tenantsResource from './tenants.resource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { formatsFor } from '@/i18n/format';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const merdeka: Tenant = {
  id: 'tenant-1',
  name: 'Angkutan Merdeka',
  description: 'Truk pasir',
  time_zone: 'Asia/Jakarta',
  active: true,
  row_version: 4,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  is_demo: false,
  cost_model: 'per_device',
  cost_per_device: 7_500_000,
  cost_bundle: 0,
  currency: 'IDR',
  device_limit: 50,
  user_limit: 0,
  used_devices: 50,
  used_users: 3,
  billing_period: 'monthly',
  billing_day: 5,
  due_day: 14,
  subscription_status: 'past_due',
  confirmed: true,
  storage_limit_mb: 10_240,
  engine_stop_consent: false,
  history_days: 0,
  tax_number: '012345678901000',
};

let tenants: Tenant[];
let sent: unknown;

beforeEach(() => {
  tenants = [merdeka];
  sent = undefined;
  server.use(
    http.get(at('/api/v1/tenants'), () => HttpResponse.json({ items: tenants, total: tenants.length })),
    http.get(at('/api/v1/tenants/summary'), () =>
      HttpResponse.json({
        total: 4,
        active: 3,
        inactive: 1,
        subscription_active: 2,
        subscription_inactive: 0,
        past_due: 1,
        canceled: 1,
        used_devices: 1234,
        used_users: 17,
      }),
    ),
    http.get(at('/api/v1/tenants/:id'), ({ params }) => HttpResponse.json(tenants.find(({ id }) => id === params.id))),
    http.put(at('/api/v1/tenants/:id'), async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ ...merdeka, row_version: 5 });
    }),
  );
});

function ownerStore() {
  const store = createStore();
  const { user } = loginAnswer({ person: 'owner' });
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  const permissions = ['user:list', 'user:export', 'role:list'];
  store.dispatch(
    signedIn({
      token,
      user: { ...user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false, permissions },
    }),
  );
  return store;
}

const show = (path = '/tenants') => renderAt(<ResourceListPage resource={tenantsResource} />, path, ownerStore());
const drawer = async (name: string) => within(await screen.findByRole('dialog', { name }));
const retype = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

describe('the tenants screen', () => {
  it('shows what is used of each limit, and the numbers of all', async () => {
    show();
    const row = within((await screen.findByText('Angkutan Merdeka')).closest('tr') as HTMLElement);
    expect(row.getByText(/^50 \/ 50/).textContent).toBe('50 / 50 Batas tercapai');
    expect(row.getByText('3 / tanpa batas')).toBeTruthy();
    expect(row.getByText('Menunggak')).toBeTruthy();
    const cards = within(screen.getByRole('list', { name: 'Ringkasan tenant' }));
    await waitFor(() =>
      expect(cards.getAllByRole('listitem').map((card) => card.textContent)).toContain('Perangkat terpakai1.234'),
    );
  });

  it('shows amounts in whole units of their currency', async () => {
    show('/tenants?columns=name,cost_per_device');
    const row = within((await screen.findByText('Angkutan Merdeka')).closest('tr') as HTMLElement);
    expect(row.getByText(/75\.000/).textContent).toMatch(/^Rp\s75\.000$/);
  });

  it('is narrowed by what the server knows', async () => {
    const queries: string[] = [];
    server.use(
      http.get(at('/api/v1/tenants'), ({ request }) => {
        const { searchParams } = new URL(request.url);
        searchParams.sort();
        queries.push(searchParams.toString());
        return HttpResponse.json({ items: tenants, total: 1 });
      }),
    );
    show('/tenants?active=false&cost_model=free&cost_model=paid&sort=-used_devices&q=pasir');
    await screen.findByText('Angkutan Merdeka');
    await userEvent.click(screen.getByRole('button', { name: /^Menunggak\d/ }));
    const before = 'active=false&cost_model=free&cost_model=paid&page=1&page_size=25&q=pasir&sort=-used_devices';
    await waitFor(() => expect(queries).toEqual([before, `${before}&subscription_status=past_due`]));
  });
});

describe('the tenant form', () => {
  it('sends every field, amounts in the minor unit, and never what the server counts', async () => {
    server.use(
      http.post(at('/api/v1/tenants'), async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ ...merdeka, id: 'tenant-2' }, { status: 201 });
      }),
    );
    show('/tenants?open=new');
    const form = await drawer('Tenant baru');
    await userEvent.type(form.getByLabelText(/^Nama/), 'Pasir Jaya');
    await userEvent.type(form.getByLabelText(/^Keterangan/), 'Tambang');
    await userEvent.click(form.getByRole('combobox', { name: /^Model biaya/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Paket' }));
    await userEvent.type(form.getByLabelText(/^NPWP/), '01.234.567.8-901.000');
    // The point that people type between thousands is none before decimals.
    await retype(form.getByLabelText(/^Biaya paket/), '1.500.000,5');
    expect(form.getByLabelText<HTMLInputElement>(/^Biaya paket/).value).toBe('1.500.000,5');
    await retype(form.getByLabelText(/^Batas perangkat/), '20');
    await retype(form.getByLabelText(/^Tanggal tagihan/), '28');
    await userEvent.click(form.getByRole('button', { name: 'Tambah tenant' }));
    expect(await screen.findByText('Tenant baru berhasil ditambahkan.')).toBeTruthy();
    expect(sent).toEqual({
      name: 'Pasir Jaya',
      description: 'Tambang',
      tax_number: '01.234.567.8-901.000',
      time_zone: 'Asia/Jakarta',
      active: true,
      confirmed: true,
      engine_stop_consent: false,
      storage_limit_mb: 10_240,
      history_days: 0,
      subscription_status: 'active',
      cost_model: 'bundle',
      currency: 'IDR',
      cost_per_device: 0,
      cost_bundle: 150_000_050,
      billing_period: 'monthly',
      billing_day: 28,
      due_day: 14,
      device_limit: 20,
      user_limit: 0,
    });
  });

  it('refuses what cannot be', async () => {
    show('/tenants?open=new');
    const form = await drawer('Tenant baru');
    await retype(form.getByLabelText(/^Tanggal tagihan/), '29');
    await retype(form.getByLabelText(/^Jatuh tempo/), '91');
    await userEvent.clear(form.getByLabelText(/^Batas pengguna/));
    await userEvent.click(form.getByRole('button', { name: 'Tambah tenant' }));
    const summary = within(await form.findByRole('alert'));
    expect(summary.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'Nama: Nama tenant wajib diisi.',
      'Batas pengguna: Isi dengan angka.',
      'Tanggal tagihan: Isi tanggal 1 sampai 28.',
      'Jatuh tempo: Isi 0 sampai 90 hari.',
    ]);
  });

  it('asks before a tenant is deactivated, and says what that does', async () => {
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    expect(await form.findByText('Terpakai 50. 0 berarti tanpa batas.')).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>(/^Biaya per perangkat/).value).toBe('75.000');
    expect(form.getByLabelText<HTMLInputElement>(/^NPWP/).value).toBe('012345678901000');
    await userEvent.click(form.getByRole('switch', { name: /^Aktif/ }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    const question = await drawer('Nonaktifkan Angkutan Merdeka?');
    expect(question.getByText(/Sesi semua penggunanya berakhir .* tetap diterima/)).toBeTruthy();
    expect(sent).toBeUndefined();
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Tenant berhasil diperbarui.')).toBeTruthy();
    expect(sent).toEqual({ active: false });
  });

  it('says what a shorter history deletes before it does', async () => {
    tenants = [{ ...merdeka, history_days: 365 }];
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await retype(await form.findByLabelText(/^Riwayat disimpan/), '90');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    const question = await drawer('Persingkat riwayat Angkutan Merdeka?');
    const date = formatsFor('id', 'Asia/Jakarta').date(Date.now() - 90 * 24 * 3600 * 1000);
    expect(question.getByText(new RegExp(`^Riwayat sebelum ${date} dihapus permanen`))).toBeTruthy();
    expect(sent).toBeUndefined();
    await userEvent.click(question.getByRole('button', { name: 'Hapus riwayat' }));
    expect(await screen.findByText('Tenant berhasil diperbarui.')).toBeTruthy();
    expect(sent).toEqual({ history_days: 90 });
  });

  it('asks nothing where history is kept longer', async () => {
    tenants = [{ ...merdeka, history_days: 365 }];
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await retype(await form.findByLabelText(/^Riwayat disimpan/), '0');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await screen.findByText('Tenant berhasil diperbarui.')).toBeTruthy();
    expect(sent).toEqual({ history_days: 0 });
  });

  it('saves other changes without a question', async () => {
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await userEvent.type(await form.findByLabelText(/^Nama/), ' Jaya');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await screen.findByText('Tenant berhasil diperbarui.')).toBeTruthy();
    expect(sent).toEqual({ name: 'Angkutan Merdeka Jaya' });
  });
});

describe('deleting a tenant', () => {
  const deleted: Tenant = { ...merdeka, deleted_at: '2026-11-01T00:00:00Z', erase_after: '2026-12-01T00:00:00Z' };

  it('asks twice, the second time for its name', async () => {
    const asked: string[] = [];
    server.use(
      http.delete(at('/api/v1/tenants/:id'), ({ request, params }) => {
        asked.push(
          `${String(params.id)} ${new URL(request.url).searchParams.get('name')} ${request.headers.get('if-match')}`,
        );
        return HttpResponse.json(deleted);
      }),
    );
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await userEvent.click(await form.findByRole('button', { name: 'Hapus' }));
    const first = await drawer('Hapus Angkutan Merdeka?');
    expect(first.getByText(/Dalam 30 hari hal ini dapat diurungkan/)).toBeTruthy();
    await userEvent.click(first.getByRole('button', { name: 'Lanjutkan' }));
    const field = await screen.findByLabelText(/Angkutan Merdeka/, { selector: 'input' });
    const second = within(field.closest('[role="dialog"]') as HTMLElement);
    const button = second.getByRole('button', { name: 'Hapus' });
    await userEvent.type(field, 'angkutan merdeka');
    await userEvent.click(button);
    expect(asked).toEqual([]);
    await retype(field, 'Angkutan Merdeka');
    await userEvent.click(button);
    expect(await screen.findByText('Tenant berhasil dihapus.')).toBeTruthy();
    expect(asked).toEqual(['tenant-1 Angkutan Merdeka 4']);
  });

  it('says what the server refused, and leaves the question open', async () => {
    server.use(
      http.delete(at('/api/v1/tenants/:id'), () => HttpResponse.json({ error: 'unavailable' }, { status: 503 })),
    );
    show('/tenants?open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await userEvent.click(await form.findByRole('button', { name: 'Hapus' }));
    await userEvent.click((await drawer('Hapus Angkutan Merdeka?')).getByRole('button', { name: 'Lanjutkan' }));
    const field = await screen.findByLabelText(/Angkutan Merdeka/, { selector: 'input' });
    await userEvent.type(field, 'Angkutan Merdeka{Enter}');
    expect(await screen.findByText(/^Gagal menghapus tenant\./)).toBeTruthy();
  });

  it('is undone from the list of deleted ones', async () => {
    const queries: (string | null)[] = [];
    tenants = [deleted];
    let restored = false;
    server.use(
      http.get(at('/api/v1/tenants'), ({ request }) => {
        queries.push(new URL(request.url).searchParams.get('deleted'));
        return HttpResponse.json({ items: tenants, total: tenants.length });
      }),
      http.post(at('/api/v1/tenants/:id/restore'), () => {
        restored = true;
        return HttpResponse.json(merdeka);
      }),
    );
    show('/tenants?deleted=true&open=tenant-1');
    expect(await screen.findByText('Dihapus; permanen pada 1 Des 2026')).toBeTruthy();
    const form = await drawer('Angkutan Merdeka');
    expect(form.queryByLabelText(/^Nama/)).toBeNull();
    await userEvent.click(await form.findByRole('button', { name: 'Urungkan penghapusan' }));
    expect(await screen.findByText('Tenant berhasil dipulihkan.')).toBeTruthy();
    expect([restored, queries[0]]).toEqual([true, 'true']);
  });

  it('is made final before its time only after the name was typed again', async () => {
    tenants = [deleted];
    server.use(
      http.post(at('/api/v1/tenants/:id/erasure'), async ({ request }) => {
        sent = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show('/tenants?deleted=true&open=tenant-1');
    const form = await drawer('Angkutan Merdeka');
    await userEvent.click(await form.findByRole('button', { name: 'Hapus permanen sekarang' }));
    await userEvent.click(
      (await drawer('Hapus Angkutan Merdeka secara permanen sekarang?')).getByRole('button', { name: 'Lanjutkan' }),
    );
    expect(sent).toBeUndefined();
    await userEvent.type(
      await screen.findByLabelText(/Angkutan Merdeka/, { selector: 'input' }),
      'Angkutan Merdeka{Enter}',
    );
    expect(await screen.findByText('Tenant berhasil dihapus permanen.')).toBeTruthy();
    expect(sent).toEqual({ name: 'Angkutan Merdeka' });
  });
});
