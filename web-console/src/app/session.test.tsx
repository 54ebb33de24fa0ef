import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Outlet } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { devicesApi } from '@/api/calls/devices';
import { LoginPage } from '@/features/auth/LoginPage';
import { interrupted, signedIn } from '@/session/sessionSlice';
import { TOKEN_KEY, saveSession } from '@/session/sessionStorage';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { attachNetwork, attachSession, restoreSession } from './attach';
import { RequireSession } from './RequireSession';
import { SessionNotices } from './shell/SessionNotices';
import { createStore, type Store } from '@/store';
import { renderRoutes } from '@/testing/render';

setUpTestServer();

let detach: (() => void)[] = [];
afterEach(() => {
  for (const each of detach) each();
  detach = [];
});

function tab(reloadForNewUser: () => void = () => undefined): Store {
  const store = createStore();
  detach.push(attachSession(store, reloadForNewUser));
  return store;
}

/** What a browser tells this tab when another one has written the session. */
const notifyStorageEvent = () => act(() => window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY })));

/** Another tab of the same browser does something with the session. */
function elsewhere(act: (store: Store) => void): void {
  act(createStore());
  void notifyStorageEvent();
}

const routes = [
  { path: '/auth/login', element: <LoginPage /> },
  {
    element: <RequireSession />,
    children: [
      {
        path: '*',
        element: (
          <>
            <Outlet />
            <input aria-label="Draf" />
            <SessionNotices />
          </>
        ),
      },
    ],
  },
];

describe('a session that ends while somebody types', () => {
  it('asks for the password over the page, which keeps what was typed', async () => {
    const next = loginAnswer({ serial: 2 });
    let sent: unknown;
    server.use(
      http.post(at('/auth/login'), async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(next);
      }),
    );
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    renderRoutes(routes, '/devices?q=truk', store);
    const draft = screen.getByLabelText<HTMLInputElement>('Draf');
    await userEvent.type(draft, 'belum disimpan');
    act(() => void store.dispatch(interrupted()));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sesi Anda telah berakhir' }));
    await userEvent.type(dialog.getByLabelText('Kata sandi'), 'rahasia{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual({ email: 'admin@example.test', password: 'rahasia' });
    expect(screen.getByLabelText('Draf')).toBe(draft);
    expect(draft.value).toBe('belum disimpan');
    expect(store.getState().session.token).toBe(next.token);
  });

  it('gives way to another person, to whom nothing of it is shown', async () => {
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    const { router } = renderRoutes(routes, '/devices', store);
    act(() => void store.dispatch(interrupted()));
    await userEvent.click(await screen.findByRole('button', { name: 'Masuk sebagai pengguna lain' }));
    expect(await screen.findByLabelText('Email')).toBeTruthy();
    expect(screen.queryByLabelText('Draf')).toBeNull();
    expect(router.state.location.pathname + router.state.location.search).toBe('/auth/login');
  });
});

describe('several tabs', () => {
  it('sign out together', () => {
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    elsewhere(() => saveSession({ ...store.getState().session, token: null, endReason: 'signed_out' }));
    expect(store.getState().session).toMatchObject({ token: null, user: null, endReason: 'signed_out' });
  });

  it('are all asked for the password when the session expires, and all revived at once', () => {
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    elsewhere((other) => other.dispatch(interrupted()));
    expect(store.getState().session).toMatchObject({ token: null, endReason: 'expired', user: { id: 'user-1' } });
    const next = loginAnswer({ serial: 2 });
    elsewhere((other) => other.dispatch(signedIn(next)));
    expect(store.getState().session).toMatchObject({ token: next.token, user: { id: 'user-1' } });
  });

  it('never mix two people: the first tab forgets everything and begins afresh', async () => {
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [{ id: 'd' }], total: 1 })));
    const afresh = vi.fn();
    const store = tab(afresh);
    store.dispatch(signedIn(loginAnswer()));
    await store.dispatch(devicesApi.endpoints.listDevices.initiate({}));
    elsewhere((other) => other.dispatch(signedIn(loginAnswer({ person: 'user-2' }))));
    expect(store.getState().session.user?.id).toBe('user-2');
    expect(store.getState().api.queries).toEqual({});
    expect(afresh).toHaveBeenCalledTimes(1);
  });

  it('hear of it late when they were frozen', () => {
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    createStore().dispatch(interrupted());
    expect(store.getState().session.token).not.toBeNull();
    window.dispatchEvent(new Event('pageshow'));
    expect(store.getState().session.token).toBeNull();
  });

  it('that have not heard of signing out do not ask for a password', async () => {
    server.use(
      http.get(at('/api/v1/devices'), () => HttpResponse.json({ error: 'unauthenticated' }, { status: 401 })),
      http.post(at('/auth/refresh'), () => HttpResponse.json({ error: 'unauthenticated' }, { status: 401 })),
    );
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    saveSession({ ...store.getState().session, token: null, endReason: 'signed_out' });
    await store.dispatch(devicesApi.endpoints.listDevices.initiate({}));
    expect(store.getState().session).toMatchObject({ token: null, user: null, endReason: 'signed_out' });
  });

  it('are left alone by a browser that keeps nothing', () => {
    const store = tab();
    store.dispatch(signedIn(loginAnswer()));
    localStorage.clear();
    window.dispatchEvent(new Event('pageshow'));
    expect(store.getState().session.token).not.toBeNull();
  });
});

describe('a page that opens with an expired session', () => {
  const expired = () => {
    createStore().dispatch(signedIn(loginAnswer({ expiresIn: -60 })));
    return tab();
  };

  it('renews it first', async () => {
    const next = loginAnswer({ serial: 2 });
    server.use(http.post(at('/auth/refresh'), () => HttpResponse.json(next)));
    const store = expired();
    await restoreSession(store);
    expect(store.getState().session.token).toBe(next.token);
  });

  it('leads to the login page and back when that is refused', async () => {
    server.use(http.post(at('/auth/refresh'), () => HttpResponse.json({ error: 'unauthenticated' }, { status: 401 })));
    const store = expired();
    await restoreSession(store);
    const { router } = renderRoutes(routes, '/devices?q=truk#x', store);
    await screen.findByLabelText('Email');
    expect(router.state.location.search).toBe('?next=%2Fdevices%3Fq%3Dtruk%23x');
  });
});

describe('a machine that slept', () => {
  afterEach(() => vi.useRealTimers());

  it('renews a token that ended meanwhile before anything else, though no event tells of it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
    const next = loginAnswer({ serial: 2, expiresIn: 10_000 });
    const sent: (string | null)[] = [];
    server.use(
      http.post(at('/auth/refresh'), () => HttpResponse.json(next)),
      http.get(at('/api/v1/devices'), ({ request }) => {
        sent.push(request.headers.get('authorization'));
        return HttpResponse.json({ items: [], total: 0 });
      }),
    );
    const store = tab();
    detach.push(attachNetwork(store));
    const { token } = loginAnswer();
    store.dispatch(signedIn({ ...loginAnswer(), token }));
    const shown = store.dispatch(devicesApi.endpoints.listDevices.initiate({}));
    await shown;
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(sent).toEqual([`Bearer ${token}`, `Bearer ${next.token}`]));
    shown.unsubscribe();
  });
});

describe('a page that is looked at again', () => {
  it('asks for what is on it: another tab may have changed that', async () => {
    let calls = 0;
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [], total: ++calls })));
    const store = tab();
    detach.push(attachNetwork(store));
    store.dispatch(signedIn(loginAnswer()));
    const shown = store.dispatch(devicesApi.endpoints.listDevices.initiate({}));
    await shown;
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(calls).toBe(2));
    shown.unsubscribe();
  });
});

describe('a server that goes away', () => {
  it('is asked again for what is on the screen when it is back', async () => {
    let away = true;
    let calls = 0;
    server.use(
      http.get(at('/.well-known/jwks.json'), () => (away ? HttpResponse.error() : HttpResponse.json({ keys: [] }))),
      http.get(at('/api/v1/devices'), () => {
        calls += 1;
        return away ? HttpResponse.error() : HttpResponse.json({ items: [], total: 0 });
      }),
    );
    const store = tab();
    detach.push(attachNetwork(store));
    store.dispatch(signedIn(loginAnswer()));
    const shown = store.dispatch(devicesApi.endpoints.listDevices.initiate({}));
    await shown;
    expect(store.getState().network).toBe('unreachable');
    away = false;
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(calls).toBe(2));
    expect(store.getState().network).toBe('up');
    shown.unsubscribe();
  });
});
