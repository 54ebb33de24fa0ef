import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '@/api/types';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import usersResource from './users.resource';

setUpTestServer();

const sari: User = {
  id: 'user-2',
  tenant_id: 'tenant-1',
  tenant_name: 'Angkutan Merdeka',
  name: 'Sari',
  email: 'sari@example.test',
  phone: '0812',
  is_platform_owner: false,
  is_tenant_admin: false,
  is_active: true,
  is_subscription_active: true,
  status: 'active',
  roles: [{ id: 'role-1', name: 'Pemantau' }],
  locale: 'id',
  has_totp: false,
  row_version: 3,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
};
const admin: User = {
  ...sari,
  id: 'user-1',
  name: 'Admin',
  email: 'admin@example.test',
  is_tenant_admin: true,
  roles: [],
};
const ROLES = [
  { id: 'role-1', tenant_id: 'tenant-1', name: 'Pemantau' },
  { id: 'role-2', tenant_id: 'tenant-1', name: 'Manajer' },
];
const EVERYTHING = ['list', 'create', 'update', 'delete', 'export', 'invite', 'assign_roles']
  .map((act) => `user:${act}`)
  .concat('role:list');

let users: User[];
/** What was asked of the server, in its order. */
let asked: string[];
let sent: Record<string, unknown>;
/** What it was to be based on. */
let versions: Record<string, string | null>;

const person = (id: unknown) => users.find((user) => user.id === id);

async function note(request: Request) {
  const key = `${request.method} ${new URL(request.url).pathname}`;
  asked.push(key);
  sent[key] = await request.json();
  versions[key] = request.headers.get('if-match');
}
beforeEach(() => {
  users = [admin, sari];
  asked = [];
  sent = {};
  versions = {};
  server.use(
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: users, total: users.length })),
    http.get(at('/api/v1/users/summary'), () =>
      HttpResponse.json({
        total: 9,
        active: 6,
        inactive: 2,
        invited: 1,
        tenant_admins: 1,
        subscription_active: 5,
        with_totp: 3,
        never_signed_in: 4,
      }),
    ),
    http.get(at('/api/v1/users/:id'), ({ params }) => HttpResponse.json(person(params.id) ?? null)),
    http.post(at('/api/v1/users'), async ({ request }) => {
      await note(request);
      const created = { ...sari, ...(sent['POST /api/v1/users'] as object), id: 'user-3', roles: [], row_version: 1 };
      users = [...users, created];
      return HttpResponse.json(created, { status: 201 });
    }),
    http.put(at('/api/v1/users/:id'), async ({ request, params }) => {
      await note(request);
      return HttpResponse.json({ ...person(params.id), row_version: 2 });
    }),
    http.put(at('/api/v1/users/:id/roles'), async ({ request, params }) => {
      await note(request);
      return HttpResponse.json({ ...person(params.id), row_version: 3 });
    }),
    http.get(at('/api/v1/roles'), () => HttpResponse.json({ items: ROLES, total: 2 })),
    http.get(at('/api/v1/roles/:id'), ({ params }) => HttpResponse.json(ROLES.find(({ id }) => id === params.id))),
  );
});

function show(path = '/users', permissions = EVERYTHING) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ResourceListPage resource={usersResource} />, path, store);
}

function showToOwner(path: string) {
  const store = createStore();
  const { user } = loginAnswer({ person: 'owner' });
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  const owner = {
    ...user,
    tenant_id: undefined,
    is_platform_owner: true,
    is_tenant_admin: false,
    permissions: EVERYTHING,
  };
  store.dispatch(signedIn({ token, user: owner }));
  return renderAt(<ResourceListPage resource={usersResource} />, path, store);
}

const drawer = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
const refused = (message: string, fields: Record<string, string>, status = 422) =>
  HttpResponse.json({ error: 'invalid', message, fields }, { status });

async function fillNew() {
  const form = await drawer('Pengguna baru');
  await userEvent.type(form.getByLabelText(/^Nama/), 'Budi');
  await userEvent.type(form.getByLabelText(/^Email/), 'budi@example.test');
  return form;
}

async function chooseRole(form: Awaited<ReturnType<typeof drawer>>, name: string) {
  await userEvent.click(form.getByRole('combobox', { name: /^Peran/ }));
  await userEvent.click(await screen.findByRole('option', { name }));
}

describe('the users screen', () => {
  it('lists people with roles and standing, and counts them', async () => {
    show();
    const row = within((await screen.findByText('sari@example.test')).closest('tr') as HTMLElement);
    expect(row.getByText('Pemantau')).toBeTruthy();
    expect(row.getByText('Belum pernah')).toBeTruthy();
    const cards = within(screen.getByRole('list', { name: 'Ringkasan pengguna' }));
    await waitFor(() => expect(cards.getAllByRole('listitem').map((card) => card.textContent)).toContain('Diundang1'));
  });

  it('hides the summary, and remembers that', async () => {
    const { unmount } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Sembunyikan ringkasan' }));
    expect(screen.queryByRole('list', { name: 'Ringkasan pengguna' })).toBeNull();
    unmount();
    show();
    expect(await screen.findByRole('button', { name: 'Tampilkan ringkasan' })).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Ringkasan pengguna' })).toBeNull();
  });

  it('narrows by a number of the summary and by filters of the address, for list and numbers alike', async () => {
    const queries: string[] = [];
    const recordRequest = ({ request }: { request: Request }) => {
      const { pathname, searchParams } = new URL(request.url);
      searchParams.sort();
      queries.push(`${pathname}?${searchParams}`);
    };
    server.events.on('request:start', recordRequest);
    const { router } = show('/users?is_subscription_active=false&role_id=role-1');
    await userEvent.click(await screen.findByRole('button', { name: /^Nonaktif/ }));
    await waitFor(() =>
      expect(queries).toContain('/api/v1/users/summary?is_subscription_active=false&role_id=role-1&status=inactive'),
    );
    expect(queries).toContain(
      '/api/v1/users?is_subscription_active=false&page=1&page_size=25&role_id=role-1&sort=name&status=inactive',
    );
    expect(new URLSearchParams(router.state.location.search).get('status')).toBe('inactive');
    await userEvent.click(await screen.findByRole('button', { name: /^Nonaktif\d/, pressed: true }));
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('status')).toBeNull());
    server.events.removeAllListeners();
  });

  it('offers what somebody may do, and nothing else', async () => {
    show('/users', ['user:list']);
    expect(await screen.findByText('sari@example.test')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Tambah pengguna' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ekspor' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Sari' }));
    const form = await drawer('Sari');
    expect((await form.findByLabelText<HTMLInputElement>(/^Nama/)).readOnly).toBe(true);
    expect(form.queryByRole('button', { name: /Simpan|Hapus|Kirim/ })).toBeNull();
    expect(form.getByText('Peran: Pemantau')).toBeTruthy();
  });
});

describe('the user form', () => {
  it('asks for at least one role', async () => {
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await form.findByText('Pilihan peran tidak valid. Silakan periksa pilihan peran Anda.')).toBeTruthy();
    expect(form.getByText('Pilih sedikitnya satu peran.')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('makes the user, then gives the roles', async () => {
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await screen.findByText('Pengguna baru berhasil ditambahkan.')).toBeTruthy();
    expect(sent['POST /api/v1/users']).toEqual({
      name: 'Budi',
      email: 'budi@example.test',
      phone: '',
      password: 'panjang sekali',
      locale: 'id',
      is_tenant_admin: false,
      is_subscription_active: true,
      is_active: true,
    });
    expect(sent['PUT /api/v1/users/user-3/roles']).toEqual({ role_ids: ['role-2'] });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says at the field which roles go too far, and does not make the user twice', async () => {
    let tries = 0;
    server.use(
      // Who is refused asks what they may do now.
      http.get(at('/api/v1/auth/me'), () => HttpResponse.json(loginAnswer({ permissions: EVERYTHING }).user)),
      http.put(at('/api/v1/users/:id/roles'), () =>
        ++tries === 1
          ? refused('Tidak boleh.', { role_ids: 'Anda tidak dapat memberi lebih dari yang Anda miliki.' }, 403)
          : HttpResponse.json({ ...sari, id: 'user-3', row_version: 3 }),
      ),
    );
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await form.findByText('Peran pengguna tersimpan sebagian. Silakan coba lagi. Tidak boleh.')).toBeTruthy();
    expect(form.getByRole('combobox', { name: /^Peran/ }).getAttribute('aria-invalid')).toBe('true');
    expect(
      form.getByRole('button', { name: 'Peran: Anda tidak dapat memberi lebih dari yang Anda miliki.' }),
    ).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(tries).toBe(2);
    expect(asked).toEqual(['POST /api/v1/users']);
  });

  it('says so when the server does not say who was made', async () => {
    server.use(http.post(at('/api/v1/users'), () => HttpResponse.json({}, { status: 201 })));
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await screen.findByText(/tetapi ID pengguna tidak ditemukan/)).toBeTruthy();
  });

  it('invites instead of asking for a password, and keeps the link until it has been taken', async () => {
    server.use(
      http.post(at('/api/v1/users/:id/links'), async ({ request }) => {
        sent.link = await request.json();
        // A server that knows no public address of its own names the path alone.
        return HttpResponse.json({ link: '/auth/invitation#abc', expires_at: '2026-12-01T00:00:00Z' });
      }),
    );
    const writeText = vi
      .fn<(text: string) => Promise<void>>()
      .mockRejectedValueOnce(new Error('not allowed'))
      .mockResolvedValue();
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.click(form.getByRole('switch', { name: /^Kirim undangan/ }));
    expect(form.queryByLabelText(/^Kata sandi/)).toBeNull();
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    const link = await drawer('Undangan untuk Budi');
    expect(link.getByLabelText<HTMLInputElement>(/^Tautan sekali pakai/).value).toBe(at('/auth/invitation#abc'));
    expect(sent['POST /api/v1/users']).toMatchObject({ invite: true });
    expect(sent['POST /api/v1/users']).not.toHaveProperty('password');
    expect(sent.link).toEqual({ purpose: 'invitation' });
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Undangan untuk Budi' })).toBeTruthy();
    await userEvent.click(link.getByRole('button', { name: 'Salin tautan' }));
    expect(await link.findByText(/Tautan sudah dipilih/)).toBeTruthy();
    await userEvent.click(link.getByRole('button', { name: 'Salin tautan' }));
    expect(await link.findByRole('button', { name: 'Tersalin' })).toBeTruthy();
    expect(writeText).toHaveBeenLastCalledWith(at('/auth/invitation#abc'));
    await userEvent.click(link.getByRole('button', { name: 'Sudah saya simpan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps the user when the invitation could not be sent, and says what to do', async () => {
    server.use(http.post(at('/api/v1/users/:id/links'), () => refused('Sedang tidak tersedia.', {}, 503)));
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.click(form.getByRole('switch', { name: /^Kirim undangan/ }));
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(
      await screen.findByText(/Budi tersimpan, tetapi undangannya gagal dikirim\..*Sedang tidak tersedia\./),
    ).toBeTruthy();
  });

  it('names what deactivating does, and leaves unchanged roles alone', async () => {
    show('/users?open=user-2');
    const form = await drawer('Sari');
    await userEvent.click(await form.findByRole('switch', { name: /^Aktif/ }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    const question = await drawer('Ubah Sari?');
    expect(question.getByText(/semua sesinya berakhir dalam beberapa detik/)).toBeTruthy();
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    expect(asked).toEqual(['PUT /api/v1/users/user-2']);
    expect(sent['PUT /api/v1/users/user-2']).toMatchObject({ is_active: false });
    expect(sent['PUT /api/v1/users/user-2']).not.toHaveProperty('password');
  });

  it('lets nobody deactivate or delete themself', async () => {
    show('/users?open=user-1');
    const form = await drawer('Admin');
    expect(await form.findByText('Anda tidak dapat menonaktifkan atau menghapus akun Anda sendiri.')).toBeTruthy();
    expect(form.queryByRole('switch', { name: /^Aktif/ })).toBeNull();
    expect(form.queryByRole('button', { name: 'Hapus' })).toBeNull();
    expect(form.queryByRole('button', { name: /Kirim tautan/ })).toBeNull();
  });

  it('deletes after the name was typed, and says why it could not', async () => {
    let last = true;
    server.use(
      http.delete(at('/api/v1/users/:id'), () => {
        if (last) return refused('Periksa isian yang ditandai.', { id: 'Ini admin terakhir.' });
        users = [admin];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show('/users?open=user-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Hapus' }));
    const question = await drawer('Hapus Sari?');
    await userEvent.type(question.getByRole('textbox'), 'Sari');
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    expect(await question.findByText('Gagal menghapus pengguna. Ini admin terakhir.')).toBeTruthy();
    last = false;
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    expect(await screen.findByText('Pengguna berhasil dihapus.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('sari@example.test')).toBeNull());
  });

  it('lets who may only give roles change them, and nothing else', async () => {
    show('/users?open=user-2', ['user:list', 'user:assign_roles', 'role:list']);
    const form = await drawer('Sari');
    expect((await form.findByLabelText<HTMLInputElement>(/^Nama/)).readOnly).toBe(true);
    expect(form.getByRole<HTMLInputElement>('switch', { name: /^Aktif/ }).disabled).toBe(true);
    expect(form.queryByLabelText(/^Kata sandi/)).toBeNull();
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click((await drawer('Ubah Sari?')).getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    expect(asked).toEqual(['PUT /api/v1/users/user-2/roles']);
    expect(sent['PUT /api/v1/users/user-2/roles']).toEqual({ role_ids: ['role-1', 'role-2'] });
    expect(versions['PUT /api/v1/users/user-2/roles']).toBe('3');
  });

  it('asks for no role of an admin, who may do everything without', async () => {
    users = [admin, { ...sari, is_tenant_admin: true, roles: [] }];
    show('/users?open=user-2');
    const form = await drawer('Sari');
    await userEvent.type(form.getByLabelText(/^Telepon/), '34');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click((await drawer('Ubah Sari?')).getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    expect(asked).toEqual(['PUT /api/v1/users/user-2']);
  });

  it('asks for a role when somebody stops being an admin', async () => {
    users = [admin, { ...sari, is_tenant_admin: true, roles: [] }];
    show('/users?open=user-2');
    const form = await drawer('Sari');
    await userEvent.click(form.getByRole('switch', { name: /^Admin tenant/ }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByText('Pilih sedikitnya satu peran.')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('asks who may only give roles for at least one, whatever else the user is like', async () => {
    users = [admin, { ...sari, email: 'tanpa-domain', name: '' }];
    show('/users?open=user-2', ['user:list', 'user:assign_roles', 'role:list']);
    const form = within(await screen.findByRole('dialog'));
    await userEvent.click(await form.findByRole('combobox', { name: /^Peran/ }));
    await userEvent.keyboard('{Backspace}');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByText('Pilihan peran tidak valid. Silakan periksa pilihan peran Anda.')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('shows roles to who may not give them, and says why they stay', async () => {
    show('/users?open=user-2', ['user:list', 'user:update', 'role:list']);
    const form = await drawer('Sari');
    expect(await form.findByText('Peran: Pemantau')).toBeTruthy();
    expect(form.getByText('Mengubah peran memerlukan izin untuk melihat dan memberi peran.')).toBeTruthy();
    expect(form.queryByRole('combobox', { name: /^Peran/ })).toBeNull();
    await userEvent.type(form.getByLabelText(/^Nama/), ' W');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click((await drawer('Ubah Sari?')).getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    expect(asked).toEqual(['PUT /api/v1/users/user-2']);
  });

  it('gives the keyboard back to the row, also to one that was reached in the drawer', async () => {
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ permissions: EVERYTHING })));
    renderAt(
      <main tabIndex={-1}>
        <ResourceListPage resource={usersResource} />
      </main>,
      '/users',
      store,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Admin' }));
    await drawer('Admin');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Admin' })));
    await userEvent.click(screen.getByRole('button', { name: 'Admin' }));
    await userEvent.click((await drawer('Admin')).getByRole('button', { name: 'Berikutnya' }));
    await (await drawer('Sari')).findByLabelText(/^Nama/);
    await userEvent.keyboard('{Escape}');
    const row = screen.getByText('sari@example.test').closest('tr');
    await waitFor(() => expect(document.activeElement).toBe(row));
  });

  it('sends another link, by mail where there is mail', async () => {
    server.use(
      http.post(at('/api/v1/users/:id/links'), async ({ request }) => {
        sent.link = await request.json();
        return HttpResponse.json({ mailed_to: 'sari@example.test', expires_at: '2026-12-01T00:00:00Z' });
      }),
    );
    show('/users?open=user-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Kirim tautan kata sandi baru' }));
    const question = await drawer('Kirim tautan kata sandi baru kepada Sari?');
    await userEvent.click(question.getByRole('button', { name: 'Kirim tautan kata sandi baru' }));
    expect(await screen.findByText('Tautan kata sandi baru dikirim ke sari@example.test.')).toBeTruthy();
    expect(sent.link).toEqual({ purpose: 'password_reset' });
  });

  it('leads to why the user may do something', async () => {
    server.use(http.get(at('/api/v1/users/:id/decisions'), () => HttpResponse.json({ items: [] })));
    show('/users?open=user-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Mengapa pengguna ini boleh …?' }));
    expect(await screen.findByRole('dialog', { name: /Sari.+|.+Sari/ })).toBeTruthy();
  });

  it('offers a platform owner the roles of the tenant that was chosen, and forgets them with it', async () => {
    const tenants = ['tenant-1', 'tenant-2'].map((id, index) => ({ id, name: `PT ${index + 1}` }));
    server.use(
      http.get(at('/api/v1/tenants'), () => HttpResponse.json({ items: tenants, total: 2 })),
      http.get(at('/api/v1/tenants/:id'), ({ params }) =>
        HttpResponse.json(tenants.find(({ id }) => id === params.id)),
      ),
      http.get(at('/api/v1/roles'), ({ request }) => {
        const tenant = new URL(request.url).searchParams.get('tenant_id');
        return HttpResponse.json({
          items: [{ id: `role-${tenant}`, tenant_id: tenant, name: `Peran ${tenant}` }],
          total: 1,
        });
      }),
    );
    showToOwner('/users?open=new');
    const form = await fillNew();
    expect(form.getByRole<HTMLInputElement>('combobox', { name: /^Peran/ }).disabled).toBe(true);
    const choose = async (name: string) => {
      await userEvent.click(form.getByRole('combobox', { name: /^Tenant/ }));
      await userEvent.click(await screen.findByRole('option', { name }));
    };
    await choose('PT 1');
    await chooseRole(form, 'Peran tenant-1');
    await choose('PT 2');
    await waitFor(() => expect(form.queryByText('Peran tenant-1')).toBeNull());
    await chooseRole(form, 'Peran tenant-2');
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    await waitFor(() => expect(sent['PUT /api/v1/users/user-3/roles']).toEqual({ role_ids: ['role-tenant-2'] }));
    expect(sent['POST /api/v1/users']).toMatchObject({ tenant_id: 'tenant-2' });
  });
});

describe('several users at once', () => {
  it('are deactivated by the server', async () => {
    const job = { id: 'job-1', service: 'identity', resource: 'users', status: 'queued', total: 2, done: 0, failed: 0 };
    server.use(
      http.post(at('/api/v1/users/bulk'), async ({ request }) => {
        await note(request);
        return HttpResponse.json(job, { status: 202 });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Pilih Sari' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Pilih Admin' }));
    await userEvent.click(screen.getByRole('button', { name: 'Nonaktifkan' }));
    const question = await drawer('Nonaktifkan 2 pengguna?');
    await userEvent.click(question.getByRole('button', { name: 'Nonaktifkan' }));
    await waitFor(() => expect(asked).toEqual(['POST /api/v1/users/bulk']));
    expect(sent['POST /api/v1/users/bulk']).toEqual({ ids: ['user-2', 'user-1'], update: { is_active: false } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Pilih Sari' }).checked).toBe(false);
  });
});
