import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { devicesApi } from '@/api/calls/devices';
import devicesResource from '@/features/devices/devices.resource';
import { selectPerson, signedIn, userUpdated, userSelected } from '@/session/sessionSlice';
import { saveSession } from '@/session/sessionStorage';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { attachSession } from './attach';
import { SCREEN_PATHS } from './paths';
import { Sidebar } from './shell/Sidebar';
import { Shell } from './shell/Shell';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { createStore } from '@/store';
import { renderAt, renderRoutes } from '@/testing/render';

setUpTestServer();

const truck = {
  id: 'device-1',
  tenant_id: 'tenant-1',
  imei: '356938035643809',
  warnings: [],
  name: 'Truk 1',
  status: 'active',
  row_version: 4,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  icon_type: 'truck',
};
const BUDI = { id: 'user-7', name: 'Budi', email: 'budi@example.test' };

/** Whose devices were asked for, call by call. */
let asked: string[][];
beforeEach(() => {
  asked = [];
  server.use(
    http.get(at('/api/v1/devices'), ({ request }) => {
      asked.push(new URL(request.url).searchParams.getAll('userIds'));
      return HttpResponse.json({ items: [truck], total: 1 });
    }),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json(truck)),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [BUDI], total: 1 })),
    http.get(at('/api/v1/users/:id'), () => HttpResponse.json(BUDI)),
    http.post(at('/api/v1/ws-ticket'), () => HttpResponse.json({ ticket: 't' })),
  );
});

const routes = [
  {
    element: <Shell />,
    children: [
      { path: '/devices', element: <ResourceListPage resource={devicesResource} /> },
      { path: '*', element: null },
    ],
  },
];

function show(permissions?: string[], path = '/devices') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderRoutes(routes, path, store);
}

/** The sidebar's entries as the specification orders them. */
const SPECIFIED = `
  /notifications / /maps /live-streaming /devices /drivers /device-members /maintenance /tenants /users /billing /roles
  /geofences /invoices /reports
`
  .trim()
  .split(/\s+/);

describe('abilities that change', () => {
  it('are learnt from a refusal, once, and menus follow', async () => {
    let learnt = 0;
    const { store } = show();
    expect(await screen.findByRole('button', { name: 'Tambah perangkat' })).toBeTruthy();
    const { user } = loginAnswer({ permissions: ['device:list'] });
    server.use(
      http.delete(at('/api/v1/devices/:id'), () =>
        HttpResponse.json({ error: 'forbidden', message: 'x' }, { status: 403 }),
      ),
      http.get(at('/api/v1/auth/me'), ({ request }) => {
        learnt += 1;
        expect(request.headers.get('authorization')).toBe(`Bearer ${store.getState().session.token}`);
        return HttpResponse.json({ ...user, policy_version: 2 });
      }),
    );
    const remove = () => store.dispatch(devicesApi.endpoints.deleteDevice.initiate({ id: 'device-1' }));
    await Promise.all([remove(), remove()]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Tambah perangkat' })).toBeNull());
    expect(store.getState().session.user?.policy_version).toBe(2);
    expect(learnt).toBe(1);
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ policy_version: 2 });
  });

  it('stay as they are when the server does not say', async () => {
    const { store } = show();
    server.use(
      http.delete(at('/api/v1/devices/:id'), () => HttpResponse.json({ error: 'forbidden' }, { status: 403 })),
      http.get(at('/api/v1/auth/me'), () => HttpResponse.json({ error: 'unavailable' }, { status: 503 })),
    );
    await store.dispatch(devicesApi.endpoints.deleteDevice.initiate({ id: 'device-1' }));
    expect(store.getState().session.user?.permissions).toContain('device:create');
  });
});

describe('what the server says of somebody', () => {
  it('counts for more than a token that is older', () => {
    const store = createStore();
    const { user } = loginAnswer();
    const token = tokenWith({ sub: user.id, is_platform_owner: true, is_tenant_admin: true, exp: 4_000_000_000 });
    store.dispatch(signedIn({ token, user: { ...user, is_platform_owner: true } }));
    expect(selectPerson(store.getState())).toMatchObject({ isPlatformOwner: true, isTenantAdmin: true });
    store.dispatch(userUpdated({ ...user, is_tenant_admin: false }));
    expect(selectPerson(store.getState())).toMatchObject({ isPlatformOwner: false, isTenantAdmin: false });
  });
});

describe('the sidebar', () => {
  const paths = async (changes: object) => {
    const store = createStore();
    const answer = loginAnswer({ permissions: [] });
    store.dispatch(signedIn({ ...answer, user: { ...answer.user, is_tenant_admin: false, ...changes } }));
    const { unmount } = renderAt(<Sidebar compact={false} />, '/maps', store);
    await screen.findByRole('navigation');
    const found = screen.queryAllByRole('link').map((link) => link.getAttribute('href') ?? '');
    unmount();
    return found;
  };

  it('shows entries without a rule to all, and tenants to platform owners', async () => {
    expect(await paths({})).toEqual(expect.arrayContaining(['/maps', '/devices', '/users']));
    expect(await paths({})).not.toContain('/tenants');
    expect(await paths({ is_platform_owner: true })).toContain('/tenants');
  });

  it('is empty for who must set up a second factor first', async () => {
    expect(await paths({ is_platform_owner: true, must_set_up_totp: true })).toEqual([]);
  });

  it("keeps the specification's order, and leads to screens that there are", async () => {
    const found = await paths({ is_platform_owner: true });
    expect(found.filter((path) => SPECIFIED.includes(path))).toEqual(SPECIFIED.filter((path) => found.includes(path)));
    expect(SCREEN_PATHS).toEqual(expect.arrayContaining(found));
  });
});

describe('the user whose fleet is looked at', () => {
  const menu = () => userEvent.click(screen.getByRole('button', { name: /^Menu pengguna/ }));

  it('is oneself at first; another one drives the lists until one comes back', async () => {
    const { store } = show();
    await screen.findByRole('row', { name: /Truk 1/ });
    expect(asked).toEqual([[]]);
    await menu();
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Lihat armada pengguna lain…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pilih pengguna' }));
    await userEvent.click(dialog.getByRole('combobox', { name: 'Pengguna' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Budi (budi@example.test)' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Lihat armadanya' }));
    expect(await screen.findByText('Anda melihat armada Budi.')).toBeTruthy();
    await waitFor(() => expect(asked.at(-1)).toEqual(['user-7']));
    expect(localStorage.getItem('selected_user_id')).toBe('user-7');
    await userEvent.click(screen.getByRole('button', { name: 'Kembali ke akun saya' }));
    await waitFor(() => expect(asked.at(-1)).toEqual([]));
    expect(store.getState().session.selectedUserId).toBe('user-1');
    expect(screen.queryByTestId('selected-user')).toBeNull();
  });

  it('is nobody else for those who may not see users', async () => {
    const { store } = show(['device:list']);
    await screen.findByRole('row', { name: /Truk 1/ });
    store.dispatch(userSelected('user-7'));
    await menu();
    expect(screen.queryByRole('menuitem', { name: 'Lihat armada pengguna lain…' })).toBeNull();
    expect(screen.queryByTestId('selected-user')).toBeNull();
    expect(asked.flat()).toEqual([]);
  });

  it('is let go when they are gone', async () => {
    server.use(
      http.get(at('/api/v1/users/:id'), () => HttpResponse.json({ error: 'not_found', message: 'x' }, { status: 404 })),
    );
    const { store } = show();
    await screen.findByRole('row', { name: /Truk 1/ });
    store.dispatch(userSelected('user-7'));
    await waitFor(() => expect(store.getState().session.selectedUserId).toBe('user-1'));
  });

  it('is the same in all tabs', () => {
    const store = createStore();
    const detach = attachSession(store, vi.fn());
    store.dispatch(signedIn(loginAnswer()));
    saveSession({ ...store.getState().session, selectedUserId: 'user-7' });
    window.dispatchEvent(new StorageEvent('storage', { key: 'selected_user_id' }));
    expect(store.getState().session.selectedUserId).toBe('user-7');
    detach();
  });
});

describe('signing out', () => {
  it('asks before what was typed is lost', async () => {
    let ended = false;
    server.use(
      http.post(at('/auth/logout'), () => {
        ended = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const store = createStore();
    store.dispatch(signedIn(loginAnswer()));
    renderRoutes(routes, '/devices?open=device-1&tab=edit', store);
    await userEvent.type(await screen.findByLabelText(/^Nama/), ' baru');
    const leave = async () => {
      await userEvent.click(screen.getByRole('button', { name: /^Menu pengguna/, hidden: true }));
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Keluar', hidden: true }));
    };
    await leave();
    await userEvent.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
    expect(ended).toBe(false);
    await leave();
    await userEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(store.getState().session.token).toBeNull());
    expect(ended).toBe(true);
  });
});

describe('the user menu', () => {
  it('says who one is', async () => {
    const store = createStore();
    const { token, user } = loginAnswer();
    store.dispatch(
      signedIn({
        token,
        user: { ...user, roles: ['Operator'], tenant_name: 'PT Maju', is_demo: true, is_subscription_user: true },
      }),
    );
    renderRoutes(routes, '/account', store);
    await userEvent.click(await screen.findByRole('button', { name: 'Menu pengguna: Admin' }));
    const shown = within(await screen.findByRole('menu'));
    for (const words of [
      'Admin',
      'admin@example.test',
      'Perusahaan: PT Maju',
      'Peran: Operator',
      'Admin perusahaan',
      'Pelanggan',
      'Demonstrasi',
    ]) {
      expect(shown.getByText(words)).toBeTruthy();
    }
    expect(shown.getByRole('menuitem', { name: /^Akun saya/ })).toBeTruthy();
    expect(shown.getByRole('menuitem', { name: 'Keluar' })).toBeTruthy();
  });
});
