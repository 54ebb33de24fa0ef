import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RolePermission } from '@/api/generated';
import { RolePage } from './RolePage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

const KEYS = ['audit:list', 'device:create', 'device:delete', 'device:list', 'user:list'];
const catalogue = (keys: string[]) => ({
  items: keys.map((key) => ({ key, description: '', is_built_in: true, row_version: 1 })),
  total: keys.length,
});

interface Sent {
  version: string | null;
  items: RolePermission[];
}

let effects: RolePermission[];
let version: number;
let sent: Sent[];
beforeEach(() => {
  effects = [
    { key: 'device:list', effect: 'allow' },
    { key: 'user:list', effect: 'deny' },
  ];
  version = 3;
  sent = [];
  server.use(
    http.get(at('/api/v1/permissions'), () => HttpResponse.json(catalogue(KEYS))),
    http.get(at('/api/v1/roles'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/roles/:id'), ({ params }) =>
      HttpResponse.json({
        id: params.id,
        tenant_id: 'tenant-1',
        name: 'Manajer',
        description: '',
        users: 4,
        allowed: 1,
        denied: 1,
        row_version: version,
        created_at: '2026-11-01T00:00:00Z',
        updated_at: '2026-11-01T00:00:00Z',
      }),
    ),
    http.get(at('/api/v1/roles/:id/permissions'), () => HttpResponse.json({ items: effects, row_version: version })),
    http.put(at('/api/v1/roles/:id/permissions'), async ({ request }) => {
      const { items } = (await request.json()) as { items: RolePermission[] };
      sent.push({ version: request.headers.get('if-match'), items });
      const changed = items.map(({ key }) => key);
      effects = [...effects.filter(({ key }) => !changed.includes(key)), ...items];
      version += 1;
      return HttpResponse.json({ items: effects, row_version: version });
    }),
  );
});

function show(path = '/roles/role-1', permissions = ['role:list', 'role:update', ...KEYS]) {
  const store = createStore();
  const { token, user } = loginAnswer({ permissions });
  const person = { ...user, is_tenant_admin: false };
  // Asked after a refusal.
  server.use(http.get(at('/api/v1/auth/me'), () => HttpResponse.json(person)));
  store.dispatch(signedIn({ token, user: person }));
  return renderRoutes(
    [
      { path: '/roles/:id', element: <RolePage /> },
      { path: '/roles', element: <h1>Semua</h1> },
    ],
    path,
    store,
  );
}

const row = (name: string) => screen.getByRole('radiogroup', { name });
const effect = (name: string) => within(row(name)).getByRole<HTMLInputElement>('radio', { checked: true }).value;
const pick = (name: string, word: string) => userEvent.click(within(row(name)).getByRole('radio', { name: word }));
const names = () => screen.getAllByRole('radiogroup').map((each) => each.getAttribute('data-permission'));
const review = () => userEvent.click(screen.getByRole('button', { name: 'Tinjau dan simpan' }));

describe('the matrix', () => {
  it('shows every permission by module with what the role says', async () => {
    show();
    expect(await screen.findByRole('region', { name: 'Perangkat' })).toBeTruthy();
    expect(names()).toEqual(['device:create', 'device:delete', 'device:list', 'user:list', 'audit:list']);
    expect([effect('Lihat perangkat'), effect('Lihat pengguna'), effect('Lihat jejak audit')]).toEqual([
      'allow',
      'deny',
      'none',
    ]);
    expect(screen.getByText('1 diizinkan, 0 ditolak, dari 3')).toBeTruthy();
  });

  it('is searched by what things are called, and narrowed in the address', async () => {
    const { router } = show('/roles/role-1?q=perangkat');
    await screen.findByRole('region', { name: 'Perangkat' });
    expect(names()).toEqual(['device:create', 'device:delete', 'device:list']);
    await userEvent.click(screen.getByRole('button', { name: /^Izinkan/ }));
    await waitFor(() => expect(names()).toEqual(['device:list']));
    expect(router.state.location.search).toBe('?q=perangkat&show=allow');
  });

  it('keeps a row where it is while it is changed under a filter', async () => {
    show('/roles/role-1?show=allow');
    await screen.findByRole('region', { name: 'Perangkat' });
    await pick('Lihat perangkat', 'Tolak');
    expect(names()).toEqual(['device:list']);
    expect(effect('Lihat perangkat')).toBe('deny');
  });

  it('folds modules', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Perangkat' }));
    expect(names()).toEqual(['user:list', 'audit:list']);
    await userEvent.click(screen.getByRole('button', { name: 'Ciutkan semua' }));
    expect(screen.queryAllByRole('radiogroup')).toEqual([]);
  });

  it('sets a whole module', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Atur semua izin Perangkat' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Tolak' }));
    expect(screen.getByText('0 diizinkan, 3 ditolak, dari 3')).toBeTruthy();
    expect(screen.getByText('3 perubahan belum disimpan')).toBeTruthy();
  });

  it('is walked and set by keyboard alone', async () => {
    show();
    await screen.findByRole('region', { name: 'Perangkat' });
    const first = within(row('Tambah perangkat')).getByRole('radio', { checked: true });
    first.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(row('Lihat perangkat').contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('-');
    expect(effect('Lihat perangkat')).toBe('deny');
    await userEvent.keyboard('{ArrowDown}0');
    expect(effect('Lihat pengguna')).toBe('none');
    await userEvent.keyboard('{End}+');
    expect(effect('Lihat jejak audit')).toBe('allow');
    await userEvent.keyboard('{Home}');
    expect(row('Tambah perangkat').contains(document.activeElement)).toBe(true);
    // One stop of the tab key for all the rows.
    expect(screen.getAllByRole('radio').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(3);
  });

  it('takes 150 permissions', async () => {
    const many = Array.from(
      { length: 150 },
      (_, index) => `m${'abcdefghij'[index % 10]}:act_${'abcdefghijklmno'[Math.floor(index / 10)]}`,
    );
    server.use(http.get(at('/api/v1/permissions'), () => HttpResponse.json(catalogue(many))));
    show();
    await screen.findByRole('region', { name: 'ma' });
    expect(names()).toHaveLength(150);
    fireEvent.click(within(row('mj:act_o')).getByRole('radio', { name: 'Izinkan' }));
    expect(screen.getByText('1 perubahan belum disimpan')).toBeTruthy();
  });

  it('only shows, where one may not change', async () => {
    show('/roles/role-1', ['role:list']);
    expect(await screen.findByText('Anda dapat melihat peran ini, tetapi tidak mengubahnya.')).toBeTruthy();
    expect(screen.queryAllByRole('radio')).toEqual([]);
  });
});

describe('saving', () => {
  it('shows the changes first, lets one be taken back, and sends the others in one step', async () => {
    show();
    await screen.findByRole('region', { name: 'Perangkat' });
    await pick('Tambah perangkat', 'Izinkan');
    await pick('Hapus perangkat', 'Tolak');
    await pick('Lihat pengguna', 'Tanpa pengaruh');
    await review();
    const dialog = within(await screen.findByRole('dialog', { name: 'Perubahan pada Manajer' }));
    expect(dialog.getByText('Berlaku untuk 4 pengguna dalam beberapa detik setelah disimpan.')).toBeTruthy();
    expect(dialog.getAllByRole('listitem')).toHaveLength(3);
    await userEvent.click(dialog.getByRole('button', { name: 'Urungkan perubahan: Hapus perangkat' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Simpan izin' }));
    expect(await screen.findByText('Izin peran berhasil diperbarui.')).toBeTruthy();
    const items = [
      { key: 'device:create', effect: 'allow' },
      { key: 'user:list', effect: 'none' },
    ];
    expect(sent).toEqual([{ version: '3', items }]);
    await waitFor(() => expect(screen.queryByText(/belum disimpan/)).toBeNull());
    expect(effect('Tambah perangkat')).toBe('allow');
  });

  it('warns of what one does not hold oneself, and shows the refusal at these rows', async () => {
    const refusal = 'Anda tidak dapat memberikan lebih dari yang Anda miliki.';
    server.use(
      http.put(at('/api/v1/roles/:id/permissions'), () =>
        HttpResponse.json({ error: 'more_than_held', message: 'x', fields: { items: refusal } }, { status: 403 }),
      ),
    );
    show('/roles/role-1', ['role:list', 'role:update', 'device:create']);
    await screen.findByRole('region', { name: 'Perangkat' });
    await pick('Tambah perangkat', 'Izinkan');
    await pick('Hapus perangkat', 'Izinkan');
    await pick('Lihat perangkat', 'Tolak');
    expect(screen.getAllByText(/^Anda sendiri tidak memiliki izin ini/)).toHaveLength(1);
    await review();
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Simpan izin' }));
    expect(await dialog.findByText(`Gagal memperbarui izin peran. ${refusal}`)).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Lanjutkan mengubah' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const refused = screen.getByText(refusal);
    expect(refused.closest('li')?.textContent).toContain('Hapus perangkat');
    expect(screen.getByText('3 perubahan belum disimpan')).toBeTruthy();
  });

  it('keeps what was changed when somebody else was quicker', async () => {
    let calls = 0;
    server.use(
      http.put(at('/api/v1/roles/:id/permissions'), async ({ request }) => {
        const { items } = (await request.json()) as { items: RolePermission[] };
        sent.push({ version: request.headers.get('if-match'), items });
        if (++calls === 1) {
          effects = [{ key: 'audit:list', effect: 'allow' }];
          version = 8;
          return HttpResponse.json({ error: 'version_mismatch', message: 'x' }, { status: 412 });
        }
        return HttpResponse.json({ items: effects, row_version: 9 });
      }),
    );
    show();
    await screen.findByRole('region', { name: 'Perangkat' });
    await pick('Tambah perangkat', 'Izinkan');
    await review();
    await userEvent.click(await screen.findByRole('button', { name: 'Simpan izin' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Muat versi mereka' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Muat versi mereka' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Simpan izin' }));
    await waitFor(() => expect(sent.map((each) => each.version)).toEqual(['3', '8']));
    expect(sent[1]?.items).toEqual([{ key: 'device:create', effect: 'allow' }]);
  });

  it('asks before changes are lost, by discarding and by leaving', async () => {
    const { router } = show();
    await screen.findByRole('region', { name: 'Perangkat' });
    await pick('Tambah perangkat', 'Izinkan');
    await userEvent.click(screen.getByRole('link', { name: '← Semua peran' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
    expect(router.state.location.pathname).toBe('/roles/role-1');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Buang' }));
    const question = within(await screen.findByRole('dialog', { name: 'Buang perubahan?' }));
    await userEvent.click(question.getByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(effect('Tambah perangkat')).toBe('none'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('link', { name: '← Semua peran' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/roles'));
  });
});
