import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { createStore, type Store } from '@/store';
import { TOKEN_KEY } from '@/session/sessionStorage';
import { ended, signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { devicesApi } from '@/api/calls/devices';
import { serialiseParams } from '@/api/baseQuery';
import { fieldErrors } from '@/api/errors';
import { live } from '@/live/live';

setUpTestServer();

const list = (store: Store, arg = {}) =>
  store.dispatch(devicesApi.endpoints.listDevices.initiate(arg, { forceRefetch: true }));
const signedInStore = (options: { expiresIn?: number } = {}) => {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer(options)));
  return store;
};

describe('serialiseParams', () => {
  it('drops null and empty values and repeats arrays', () => {
    const query = serialiseParams({
      page: 0,
      q: '',
      sort: null,
      status: undefined,
      userIds: ['a', 'b', ''],
      on: false,
    });
    expect(query).toBe('page=0&userIds=a&userIds=b&on=false');
  });
});

describe('base query', () => {
  it('sends the token and the language', async () => {
    let headers = new Headers();
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) => {
        headers = request.headers;
        return HttpResponse.json({ items: [], total: 0 });
      }),
    );
    const store = signedInStore();
    await list(store);
    expect(headers.get('authorization')).toBe(`Bearer ${store.getState().session.token}`);
    expect(headers.get('accept-language')).toBe('id');
  });

  it.each([
    ['the message', HttpResponse.json({ error: 'invalid', message: 'Salah.' }, { status: 422 }), 422, 'Salah.'],
    ['the error', HttpResponse.json({ error: 'invalid' }, { status: 422 }), 422, 'invalid'],
    ['the text', HttpResponse.text('out of order', { status: 503 }), 503, 'out of order'],
    ['a fallback for a page', HttpResponse.html('<html>Bad gateway</html>', { status: 502 }), 502, 'Request failed'],
    ['a fallback', new HttpResponse(null, { status: 500 }), 500, 'Request failed'],
    ['a fallback without a server', HttpResponse.error(), 0, 'Request failed'],
  ])('normalises errors to %s', async (_what, response, status, message) => {
    server.use(http.get(at('/api/v1/devices'), () => response));
    expect((await list(signedInStore())).error).toMatchObject({ status, message });
  });

  it('gives up on a network that swallows everything', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      server.use(http.get(at('/api/v1/devices'), () => new Promise<never>(() => undefined)));
      const store = signedInStore();
      const answer = list(store);
      await vi.advanceTimersByTimeAsync(36_000);
      expect((await answer).error).toMatchObject({ status: 0 });
      // One that takes too long says nothing of the others.
      expect(store.getState().network).toBe('up');
    } finally {
      vi.useRealTimers();
    }
  });

  it('hands over what is wrong with each field', async () => {
    const body = { error: 'invalid', message: 'x', fields: { imei: 'Sudah dipakai.' } };
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json(body, { status: 422 })));
    expect(fieldErrors((await list(signedInStore())).error)).toEqual({ imei: 'Sudah dipakai.' });
  });

  it('renews once for many calls that are refused, and repeats them', async () => {
    let renewals = 0;
    const next = loginAnswer({ serial: 2 });
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) =>
        request.headers.get('authorization') === `Bearer ${next.token}`
          ? HttpResponse.json({ items: [], total: 0 })
          : HttpResponse.json({ error: 'unauthenticated' }, { status: 401 }),
      ),
      http.post(at('/auth/refresh'), () => {
        renewals += 1;
        return HttpResponse.json(next);
      }),
    );
    const store = signedInStore();
    const answers = await Promise.all([1, 2, 3].map((page) => list(store, { page })));
    expect(answers.every(({ isSuccess }) => isSuccess)).toBe(true);
    expect(renewals).toBe(1);
    expect(localStorage.getItem(TOKEN_KEY)).toBe(next.token);
  });

  it('never sends a token that has expired', async () => {
    const next = loginAnswer({ serial: 3 });
    const sent: (string | null)[] = [];
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) => {
        sent.push(request.headers.get('authorization'));
        return HttpResponse.json({ items: [], total: 0 });
      }),
      http.post(at('/auth/refresh'), () => HttpResponse.json(next)),
    );
    await list(signedInStore({ expiresIn: -1 }));
    expect(sent).toEqual([`Bearer ${next.token}`]);
  });

  /** A session that the server ends; its calls are answered again with the token of `next`. */
  const serverEndsSession = (next: string) =>
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) =>
        request.headers.get('authorization') === `Bearer ${next}`
          ? HttpResponse.json({ items: [{ id: 'd' }], total: 1 })
          : HttpResponse.json({ error: 'unauthenticated' }, { status: 401 }),
      ),
      http.post(at('/auth/refresh'), () => HttpResponse.json({ error: 'unauthenticated' }, { status: 401 })),
    );
  const untilInterrupted = (store: Store) =>
    vi.waitFor(() =>
      expect(store.getState().session).toMatchObject({ token: null, claims: null, endReason: 'expired' }),
    );

  it('waits with a call whose session has ended until its user is back', async () => {
    const next = loginAnswer({ serial: 4 });
    serverEndsSession(next.token);
    const store = signedInStore();
    const answer = list(store);
    await untilInterrupted(store);
    expect(store.getState().session.user?.id).toBe('user-1');
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
    store.dispatch(signedIn(next));
    expect(await answer).toMatchObject({ isSuccess: true, data: { total: 1 } });
  });

  it('sends nothing in the name of another person', async () => {
    const other = loginAnswer({ serial: 5, person: 'user-2' });
    serverEndsSession(other.token);
    const store = signedInStore();
    const answer = list(store);
    await untilInterrupted(store);
    store.dispatch(signedIn(other));
    expect((await answer).data).toBeUndefined();
    expect(store.getState().api.queries).toEqual({});
  });

  it('forgets everything when somebody signs out', async () => {
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [{ id: 'd' }], total: 1 })));
    const store = signedInStore();
    await list(store);
    const forgets = vi.spyOn(live, 'clear');
    store.dispatch(ended('signed_out'));
    expect(store.getState().session).toMatchObject({ token: null, user: null, selectedUserId: null });
    expect(store.getState().api.queries).toEqual({});
    expect(forgets).toHaveBeenCalled();
    expect(Object.keys(localStorage).filter((key) => key !== 'session_end')).toEqual([]);
  });

  it('keeps the session while the server is away', async () => {
    server.use(
      http.get(at('/api/v1/devices'), () => HttpResponse.json({ error: 'unauthenticated' }, { status: 401 })),
      http.post(at('/auth/refresh'), () => HttpResponse.error()),
    );
    const store = signedInStore();
    expect((await list(store)).error).toMatchObject({ status: 0 });
    expect(store.getState().session.token).not.toBeNull();
    expect(store.getState().network).toBe('unreachable');
  });

  it('takes the token that another tab has got already', async () => {
    const other = loginAnswer({ serial: 9 });
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) =>
        request.headers.get('authorization') === `Bearer ${other.token}`
          ? HttpResponse.json({ items: [], total: 0 })
          : HttpResponse.json({ error: 'unauthenticated' }, { status: 401 }),
      ),
    );
    const store = signedInStore();
    localStorage.setItem(TOKEN_KEY, other.token);
    expect((await list(store)).isSuccess).toBe(true);
    expect(store.getState().session.token).toBe(other.token);
  });

  it('shows nobody what another person loaded', async () => {
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [{ id: 'd' }], total: 1 })));
    const store = signedInStore();
    await list(store);
    expect(Object.keys(store.getState().api.queries)).toHaveLength(1);
    store.dispatch(signedIn(loginAnswer({ person: 'user-2' })));
    expect(store.getState().api.queries).toEqual({});
  });
});
