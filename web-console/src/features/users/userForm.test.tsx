import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import usersResource from './users.resource';
import {
  EVERYTHING,
  admin,
  backend,
  chooseRole,
  drawer,
  fillNew,
  refused,
  sari,
  setUpUsers,
  show,
  showToOwner,
} from './testUsers';

setUpUsers();

describe('the user form', () => {
  it('asks for at least one role', async () => {
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await form.findByText('Pilihan peran tidak valid. Silakan periksa pilihan peran Anda.')).toBeTruthy();
    expect(form.getByText('Pilih sedikitnya satu peran.')).toBeTruthy();
    expect(backend.requests).toEqual([]);
  });

  it('makes the user, then gives the roles', async () => {
    show('/users?open=new');
    const form = await fillNew();
    await userEvent.type(form.getByLabelText(/^Kata sandi/), 'panjang sekali');
    await chooseRole(form, 'Manajer');
    await userEvent.click(form.getByRole('button', { name: 'Tambah pengguna' }));
    expect(await screen.findByText('Pengguna baru berhasil ditambahkan.')).toBeTruthy();
    expect(backend.sent['POST /api/v1/users']).toEqual({
      name: 'Budi',
      email: 'budi@example.test',
      phone: '',
      password: 'panjang sekali',
      locale: 'id',
      is_tenant_admin: false,
      is_subscription_active: true,
      is_active: true,
    });
    expect(backend.sent['PUT /api/v1/users/user-3/roles']).toEqual({ role_ids: ['role-2'] });
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
    expect(backend.requests).toEqual(['POST /api/v1/users']);
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
        backend.sent.link = await request.json();
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
    expect(backend.sent['POST /api/v1/users']).toMatchObject({ invite: true });
    expect(backend.sent['POST /api/v1/users']).not.toHaveProperty('password');
    expect(backend.sent.link).toEqual({ purpose: 'invitation' });
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
    expect(backend.requests).toEqual(['PUT /api/v1/users/user-2']);
    expect(backend.sent['PUT /api/v1/users/user-2']).toMatchObject({ is_active: false });
    expect(backend.sent['PUT /api/v1/users/user-2']).not.toHaveProperty('password');
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
        backend.users = [admin];
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
    expect(backend.requests).toEqual(['PUT /api/v1/users/user-2/roles']);
    expect(backend.sent['PUT /api/v1/users/user-2/roles']).toEqual({ role_ids: ['role-1', 'role-2'] });
    expect(backend.versions['PUT /api/v1/users/user-2/roles']).toBe('3');
  });

  it('asks for no role of an admin, who may do everything without', async () => {
    backend.users = [admin, { ...sari, is_tenant_admin: true, roles: [] }];
    show('/users?open=user-2');
    const form = await drawer('Sari');
    await userEvent.type(form.getByLabelText(/^Telepon/), '34');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    await userEvent.click((await drawer('Ubah Sari?')).getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByText('Pengguna berhasil diperbarui.')).toBeTruthy();
    expect(backend.requests).toEqual(['PUT /api/v1/users/user-2']);
  });

  it('asks for a role when somebody stops being an admin', async () => {
    backend.users = [admin, { ...sari, is_tenant_admin: true, roles: [] }];
    show('/users?open=user-2');
    const form = await drawer('Sari');
    await userEvent.click(form.getByRole('switch', { name: /^Admin perusahaan/ }));
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByText('Pilih sedikitnya satu peran.')).toBeTruthy();
    expect(backend.requests).toEqual([]);
  });

  it('asks who may only give roles for at least one, whatever else the user is like', async () => {
    backend.users = [admin, { ...sari, email: 'tanpa-domain', name: '' }];
    show('/users?open=user-2', ['user:list', 'user:assign_roles', 'role:list']);
    const form = within(await screen.findByRole('dialog'));
    await userEvent.click(await form.findByRole('combobox', { name: /^Peran/ }));
    await userEvent.keyboard('{Backspace}');
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    expect(await form.findByText('Pilihan peran tidak valid. Silakan periksa pilihan peran Anda.')).toBeTruthy();
    expect(backend.requests).toEqual([]);
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
    expect(backend.requests).toEqual(['PUT /api/v1/users/user-2']);
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
        backend.sent.link = await request.json();
        return HttpResponse.json({ mailed_to: 'sari@example.test', expires_at: '2026-12-01T00:00:00Z' });
      }),
    );
    show('/users?open=user-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Kirim tautan kata sandi baru' }));
    const question = await drawer('Kirim tautan kata sandi baru kepada Sari?');
    await userEvent.click(question.getByRole('button', { name: 'Kirim tautan kata sandi baru' }));
    expect(await screen.findByText('Tautan kata sandi baru dikirim ke sari@example.test.')).toBeTruthy();
    expect(backend.sent.link).toEqual({ purpose: 'password_reset' });
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
    await waitFor(() =>
      expect(backend.sent['PUT /api/v1/users/user-3/roles']).toEqual({ role_ids: ['role-tenant-2'] }),
    );
    expect(backend.sent['POST /api/v1/users']).toMatchObject({ tenant_id: 'tenant-2' });
  });
});
