import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Decision } from '@/api/generated';
import { ExplainDialog } from './ExplainDialog';
import rolesResource from './roles.resource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const manager = { role_id: 'role-1', role_name: 'Manajer' };
const trainee = { role_id: 'role-2', role_name: 'Magang' };
const DECISIONS: Decision[] = [
  {
    key: 'device:delete',
    allowed: false,
    reason: 'role_denies',
    roles: [
      { ...trainee, effect: 'deny' },
      { ...manager, effect: 'allow' },
    ],
  },
  {
    key: 'device:list',
    allowed: true,
    reason: 'role_allows',
    roles: [
      { ...manager, effect: 'allow' },
      { ...trainee, effect: 'none' },
    ],
  },
  { key: 'user:list', allowed: false, reason: 'no_role_allows', roles: [{ ...manager, effect: 'none' }] },
];

const explains = (decisions: Decision[]) =>
  http.get(at('/api/v1/users/user-7/decisions'), () => HttpResponse.json({ items: decisions }));

function signedInStore() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['role:list', 'user:list'] })));
  return store;
}

const dialog = (onClose = vi.fn()) =>
  renderAt(<ExplainDialog user={{ id: 'user-7', name: 'Budi' }} onClose={onClose} />, '/users', signedInStore());

describe('the explanation', () => {
  it('says why, and which role says what', async () => {
    server.use(explains(DECISIONS));
    dialog();
    await userEvent.click(await screen.findByRole('button', { name: /^Hapus perangkat.*Tidak boleh/ }));
    expect(
      screen.getByText(
        'Budi tidak boleh, karena ditolak oleh: Magang. Satu penolakan mengalahkan semua yang mengizinkan.',
      ),
    ).toBeTruthy();
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual(['MagangTolak', 'ManajerIzinkan']);
    expect(screen.getByRole('link', { name: 'Magang' }).getAttribute('href')).toBe('/roles/role-2');
  });

  it('is narrowed to what one may, and searched', async () => {
    server.use(explains(DECISIONS));
    dialog();
    await userEvent.click(await screen.findByRole('button', { name: 'Boleh 1' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Semua 3' }));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Cari izin' }), 'pengguna');
    expect(await screen.findByRole('button', { name: /^Lihat pengguna/ })).toBeTruthy();
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: /^Lihat pengguna/ }));
    expect(screen.getByText('Budi tidak boleh, karena tidak ada peran yang mengizinkannya.')).toBeTruthy();
  });

  it('says at once what a flag decides', async () => {
    server.use(explains(DECISIONS.map((decision) => ({ ...decision, allowed: true, reason: 'tenant_admin' }))));
    dialog();
    expect(await screen.findByText(/^Budi boleh, sebagai admin perusahaan/)).toBeTruthy();
    expect(screen.queryByText(/^Tolak mengalahkan izinkan/)).toBeNull();
  });

  it('shows the words of the server when it cannot be had', async () => {
    server.use(
      http.get(at('/api/v1/users/user-7/decisions'), () =>
        HttpResponse.json({ error: 'not_found', message: 'Tidak ditemukan.' }, { status: 404 }),
      ),
    );
    dialog();
    expect(await screen.findByText('Tidak ditemukan.')).toBeTruthy();
  });

  it('opens from the roles for a user who is chosen there, and the address says whom', async () => {
    const budi = { id: 'user-7', name: 'Budi', email: 'budi@example.test' };
    server.use(
      explains(DECISIONS),
      http.get(at('/api/v1/roles'), () => HttpResponse.json({ items: [], total: 0 })),
      http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [budi], total: 1 })),
      http.get(at('/api/v1/users/user-7'), () => HttpResponse.json(budi)),
    );
    const { router } = renderAt(<ResourceListPage resource={rolesResource} />, '/roles', signedInStore());
    await userEvent.click(await screen.findByRole('button', { name: 'Jelaskan izin pengguna' }));
    await userEvent.click(await screen.findByRole('combobox', { name: 'Pengguna' }));
    await userEvent.click(await screen.findByRole('option', { name: /^Budi/ }));
    expect(await screen.findByRole('button', { name: /^Lihat perangkat.*Boleh/ })).toBeTruthy();
    expect(router.state.location.search).toContain('explain=user-7');
  });
});
