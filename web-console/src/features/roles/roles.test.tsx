import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '@/api/generated';
import { ComparePage } from './ComparePage';
import { RolePage } from './RolePage';
import permissionsResource from './permissions.resource';
import rolesResource from './roles.resource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const role = (number: number, name: string): Role => ({
  id: `role-${number}`,
  tenant_id: 'tenant-1',
  name,
  description: `Keterangan ${number}`,
  users: number,
  allowed: 2,
  denied: 1,
  row_version: 3,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
});

const RIGHTS = ['role:list', 'role:create', 'role:update', 'role:delete', 'user:list'];
const CATALOGUE = ['audit:list', 'device:list', 'device:create', 'erp:sync'].map((key) => ({
  key,
  description: key === 'erp:sync' ? 'Menyinkronkan ERP' : '',
  is_built_in: key !== 'erp:sync',
  row_version: 1,
}));

let roles: Role[];
beforeEach(() => {
  roles = [role(2, 'Manajer'), role(0, 'Teknisi')];
  server.use(
    http.get(at('/api/v1/roles'), () => HttpResponse.json({ items: roles, total: roles.length })),
    http.get(at('/api/v1/roles/templates'), () =>
      HttpResponse.json({ items: [{ key: 'dispatcher', items: [{ key: 'device:list', effect: 'allow' }] }] }),
    ),
    http.get(at('/api/v1/roles/:id'), ({ params }) => {
      const found = roles.find(({ id }) => id === params.id);
      return found
        ? HttpResponse.json(found)
        : HttpResponse.json({ error: 'not_found', message: 'Tidak ditemukan.' }, { status: 404 });
    }),
    http.get(at('/api/v1/roles/:id/permissions'), ({ params }) => {
      const effect = params.id === 'role-2' ? 'allow' : 'deny';
      return HttpResponse.json({
        items: [
          { key: 'device:list', effect },
          { key: 'audit:list', effect: 'allow' },
        ],
        row_version: 3,
      });
    }),
    http.get(at('/api/v1/permissions'), () => HttpResponse.json({ items: CATALOGUE, total: CATALOGUE.length })),
  );
});

function show(path: string, permissions = RIGHTS, owner = false) {
  const store = createStore();
  const { token, user } = loginAnswer({ permissions });
  const person = { ...user, is_tenant_admin: false, is_platform_owner: owner };
  // Asked after a refusal.
  server.use(http.get(at('/api/v1/auth/me'), () => HttpResponse.json(person)));
  store.dispatch(signedIn({ token, user: person }));
  const routes = [
    { path: '/roles', element: <ResourceListPage resource={rolesResource} /> },
    { path: '/roles/compare', element: <ComparePage /> },
    { path: '/roles/permissions', element: <ResourceListPage resource={permissionsResource} /> },
    { path: '/roles/:id', element: <RolePage /> },
  ];
  return renderRoutes(routes, path, store);
}

describe('the list of roles', () => {
  it('leads to a role', async () => {
    const { router } = show('/roles');
    await userEvent.click(await screen.findByText('Manajer'));
    expect(router.state.location.pathname).toBe('/roles/role-2');
    expect(await screen.findByRole('heading', { name: 'Manajer' })).toBeTruthy();
  });

  it('offers nothing that one may not do', async () => {
    show('/roles', ['role:list']);
    await screen.findByText('Manajer');
    expect(screen.queryByRole('button', { name: 'Tambah peran' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Jelaskan izin pengguna' })).toBeNull();
  });
});

describe('a new role', () => {
  it('begins with a template, and opens', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/api/v1/roles'), async ({ request }) => {
        sent = await request.json();
        roles = [...roles, role(7, 'Shift malam')];
        return HttpResponse.json(role(7, 'Shift malam'), { status: 201 });
      }),
    );
    const { router } = show('/roles?open=new');
    const form = within(await screen.findByRole('dialog'));
    await userEvent.type(form.getByLabelText(/^Nama/), 'Shift malam');
    await userEvent.click(form.getByRole('combobox', { name: 'Mulai dari' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Templat' }));
    await userEvent.click(form.getByRole('button', { name: 'Tambah peran' }));
    expect((await form.findAllByText('Pilih templat.')).length).toBeGreaterThan(0);
    await userEvent.click(form.getByRole('combobox', { name: /^Templat/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Dispatcher' }));
    expect(form.getByText('Memantau kendaraan dan mengubah datanya. Mengizinkan 1 hal.')).toBeTruthy();
    await userEvent.click(form.getByRole('button', { name: 'Tambah peran' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/roles/role-7'));
    expect(sent).toEqual({ name: 'Shift malam', description: '', template: 'dispatcher' });
  });

  it('may be a copy, and shows at the field what the server refuses', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/api/v1/roles'), async ({ request }) => {
        sent = await request.json();
        const fields = { copy_of: 'Anda tidak dapat memberikan lebih dari yang Anda miliki.' };
        return HttpResponse.json({ error: 'more_than_held', message: 'Ditolak.', fields }, { status: 403 });
      }),
    );
    show('/roles?open=new&copy=role-2');
    const form = within(await screen.findByRole('dialog'));
    await userEvent.type(await form.findByLabelText(/^Nama/), 'Manajer kedua');
    await userEvent.click(form.getByRole('button', { name: 'Tambah peran' }));
    expect(await form.findByText('Anda tidak dapat memberikan lebih dari yang Anda miliki.')).toBeTruthy();
    expect(sent).toMatchObject({ name: 'Manajer kedua', copy_of: 'role-2' });
  });
});

describe('deleting a role', () => {
  it('says how many people have it and wants its name', async () => {
    let version: string | null = null;
    server.use(
      http.delete(at('/api/v1/roles/:id'), ({ request }) => {
        version = request.headers.get('if-match');
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { router } = show('/roles/role-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Tindakan lain' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Hapus' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus peran Manajer?' }));
    expect(question.getByText(/^2 pengguna memiliki peran ini/)).toBeTruthy();
    await userEvent.type(question.getByRole('textbox'), 'Manajer');
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/roles'));
    expect(version).toBe('3');
  });
});

describe('comparing roles', () => {
  it('shows what differs, and on request the rest', async () => {
    show('/roles/compare?left=role-2&right=role-0');
    expect(await screen.findByText('1 dari 4 izin berbeda')).toBeTruthy();
    const row = screen.getByRole('row', { name: /Lihat perangkat/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Izinkan', 'Tolak']);
    expect(screen.queryByRole('row', { name: /Lihat jejak audit/ })).toBeNull();
    await userEvent.click(screen.getByRole('switch', { name: 'Tampilkan juga yang sama' }));
    expect(await screen.findByRole('row', { name: /Lihat jejak audit/ })).toBeTruthy();
  });

  it('puts a role beside a template', async () => {
    const { router } = show('/roles/compare?left=role-0');
    expect(await screen.findByText('Pilih dua peran atau templat')).toBeTruthy();
    await userEvent.click(screen.getByRole('combobox', { name: 'Sisi kedua' }));
    // Roles and templates come from two calls.
    await screen.findByRole('option', { name: 'Manajer' });
    const groups = screen.getAllByRole('group');
    expect(
      groups.map((group) =>
        within(group)
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([['Manajer', 'Teknisi'], ['Dispatcher (templat)']]);
    await userEvent.click(screen.getByRole('option', { name: 'Dispatcher (templat)' }));
    expect(await screen.findByText('2 dari 4 izin berbeda')).toBeTruthy();
    expect(new URLSearchParams(router.state.location.search).get('right')).toBe('template:dispatcher');
    const row = screen.getByRole('row', { name: /Lihat perangkat/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Tolak', 'Izinkan']);
    expect(screen.getByRole('columnheader', { name: 'Dispatcher (templat)' })).toBeTruthy();
  });

  it('does not wait for a template that there is no more', async () => {
    show('/roles/compare?left=role-0&right=template%3Agone');
    expect(await screen.findByText('Pilih dua peran atau templat')).toBeTruthy();
  });

  it('swaps the sides in the address', async () => {
    const { router } = show('/roles/compare?left=role-2&right=role-0');
    await screen.findByText('1 dari 4 izin berbeda');
    await userEvent.click(screen.getByRole('button', { name: 'Tukar tempat' }));
    await waitFor(() => expect(router.state.location.search).toBe('?left=role-0&right=role-2'));
  });
});

describe('the catalogue', () => {
  it('is searched, and cannot be changed by others than platform owners', async () => {
    show('/roles/permissions?q=erp');
    expect(await screen.findByText('Menyinkronkan ERP')).toBeTruthy();
    expect(screen.queryByText('Lihat perangkat')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Tambah izin' })).toBeNull();
  });

  it('is added to by a platform owner', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/api/v1/permissions'), async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(
          { key: 'erp:read', description: 'Baca', is_built_in: false, row_version: 1 },
          { status: 201 },
        );
      }),
    );
    show('/roles/permissions?open=new', RIGHTS, true);
    const form = within(await screen.findByRole('dialog'));
    await userEvent.type(form.getByLabelText(/^Kunci/), 'ERP');
    await userEvent.click(form.getByRole('button', { name: 'Tambah izin' }));
    expect((await form.findAllByText(/^Tulis sebagai modul:tindakan/)).length).toBeGreaterThan(0);
    await userEvent.clear(form.getByLabelText(/^Kunci/));
    await userEvent.type(form.getByLabelText(/^Kunci/), 'erp:read');
    await userEvent.type(form.getByLabelText('Yang diizinkan'), 'Baca');
    await userEvent.click(form.getByRole('button', { name: 'Tambah izin' }));
    await waitFor(() => expect(sent).toEqual({ key: 'erp:read', description: 'Baca' }));
  });

  it('shows what is built in and lets nobody change it', async () => {
    show('/roles/permissions?open=device%3Alist', RIGHTS, true);
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByText('Bagian dari program; tidak dapat diubah.')).toBeTruthy();
    expect(drawer.queryByRole('button', { name: 'Simpan perubahan' })).toBeNull();
    expect(drawer.queryByRole('button', { name: 'Hapus' })).toBeNull();
  });

  it('asks for the key before a permission goes from all roles', async () => {
    let deleted = '';
    server.use(
      http.delete(at('/api/v1/permissions/:key'), ({ params }) => {
        deleted = String(params.key);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show('/roles/permissions?open=erp%3Async', RIGHTS, true);
    await userEvent.click(await screen.findByRole('button', { name: 'Hapus' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus izin erp:sync?' }));
    await userEvent.type(question.getByRole('textbox'), 'erp:sync');
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    await waitFor(() => expect(decodeURIComponent(deleted)).toBe('erp:sync'));
  });
});
