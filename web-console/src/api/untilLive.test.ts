import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alarmsApi } from '@/api/calls/alarms';
import { devicesApi } from '@/api/calls/devices';
import { at, server, setUpTestServer } from '@/testing/server';
import { createStore } from '@/store';
import { liveIsThere, waitForLive } from './untilLive';

setUpTestServer();

const asked = vi.fn<(path: string) => void>();
beforeEach(() => {
  asked.mockReset();
  server.use(
    http.get(at('/api/v1/*'), ({ request }) => {
      asked(new URL(request.url).pathname);
      return HttpResponse.json({ items: [], total: 0 });
    }),
  );
});
afterEach(() => void vi.useRealTimers());

const { listAlarms } = alarmsApi.endpoints;

describe('what live messages renew', () => {
  it('is asked for once, when the socket is there', async () => {
    waitForLive();
    const { dispatch } = createStore();
    const alarms = dispatch(listAlarms.initiate({}));
    await dispatch(devicesApi.endpoints.listDevices.initiate({}));
    expect(asked.mock.calls).toEqual([['/api/v1/devices']]);
    expect(liveIsThere()).toBe(true);
    await alarms;
    expect(asked.mock.calls).toEqual([['/api/v1/devices'], ['/api/v1/alarms']]);
    // Another connection: what changed in between nobody has told.
    expect(liveIsThere()).toBe(false);
  });

  it('does not wait for a socket that does not come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    waitForLive();
    const alarms = createStore().dispatch(listAlarms.initiate({}));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await alarms).isSuccess).toBe(true);
    expect(liveIsThere()).toBe(false);
  });
});
