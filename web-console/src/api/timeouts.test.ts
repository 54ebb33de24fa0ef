import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { devicesApi } from '@/api/calls/devices';
import { direct } from '@/api/direct';
import { download } from '@/api/download';
import { refreshAbilities } from '@/api/refreshAbilities';
import { renewSession } from '@/session/renewal';
import { signedIn } from '@/session/sessionSlice';
import { signOut } from '@/session/signOut';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';

setUpTestServer();

const never = () => new Promise<never>(() => undefined);
const DEVICES = at('/api/v1/devices');
const { signal } = new AbortController();

function signedInStore() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer()));
  return store;
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('how long the console waits', () => {
  it('hears the words of a server that gives up after 30 seconds', async () => {
    server.use(
      http.get(DEVICES, async () => {
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        return HttpResponse.json({ error: 'unavailable', message: 'Layanan sedang sibuk.' }, { status: 503 });
      }),
    );
    const answer = signedInStore().dispatch(devicesApi.endpoints.listDevices.initiate({}));
    await vi.advanceTimersByTimeAsync(30_500);
    expect((await answer).error).toMatchObject({ status: 503, message: 'Layanan sedang sibuk.' });
  });

  it('gives up on calls past the cache as well', async () => {
    server.use(http.get(DEVICES, never));
    const answer = signedInStore().dispatch(direct({ url: '/api/v1/devices' }, signal));
    await vi.advanceTimersByTimeAsync(36_000);
    expect((await answer).error).toMatchObject({ status: 0 });
  });

  it('stops such a call when somebody stops it', async () => {
    server.use(http.get(DEVICES, never));
    const stop = new AbortController();
    const answer = signedInStore().dispatch(direct({ url: '/api/v1/devices' }, stop.signal));
    stop.abort();
    expect((await answer).error).toMatchObject({ status: 0 });
  });

  it('lets a file come for as long as something of it comes, and gives up on one that stands still', async () => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    vi.spyOn(globalThis, 'fetch').mockImplementation((request) => {
      const { signal: ended } = request as Request;
      ended.addEventListener('abort', () => body?.error(ended.reason));
      return Promise.resolve(new Response(stream));
    });
    let bytes = 0;
    const file = signedInStore().dispatch(
      download({ url: '/api/v1/devices/export' }, { signal, onProgress: (count) => (bytes = count) }),
    );
    for (let part = 1; part <= 3; part++) {
      await vi.advanceTimersByTimeAsync(20_000);
      body?.enqueue(new Uint8Array(7));
      await vi.advanceTimersByTimeAsync(0);
      expect(bytes).toBe(7 * part);
    }
    await vi.advanceTimersByTimeAsync(36_000);
    expect((await file).error).toMatchObject({ status: 0 });
  });

  it('waits a second for the server when somebody signs out', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(never);
    const left = vi.fn();
    void signOut('a-token').then(left);
    await vi.advanceTimersByTimeAsync(900);
    expect(left).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(left).toHaveBeenCalled();
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      new URL(at('/auth/logout')),
      expect.objectContaining({ method: 'POST', keepalive: true, headers: { authorization: 'Bearer a-token' } }),
    );
  });

  it('takes a server that never answers a renewal for one that is away, so that no tab waits for ever', async () => {
    const asked: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      asked.push(milliseconds);
      return AbortSignal.abort();
    });
    server.use(http.post(at('/auth/refresh'), never), http.get(at('/api/v1/auth/me'), never));
    expect(await renewSession(null)).toEqual({ outcome: 'unreachable', answered: false });
    await refreshAbilities(signedInStore());
    expect(asked).toEqual([15_000, 15_000]);
  });
});
