import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alarmsApi } from '@/api/calls/alarms';
import { devicesApi } from '@/api/calls/devices';
import { at, server, setUpTestServer } from '@/testing/server';
import { createStore } from '@/store';
import { endWaitForLive, expectLive } from './untilLive';

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
    expectLive();
    const { dispatch } = createStore();
    const alarms = dispatch(listAlarms.initiate({}));
    await dispatch(devicesApi.endpoints.listDevices.initiate({}));
    expect(asked.mock.calls).toEqual([['/api/v1/devices']]);
    expect(endWaitForLive()).toBe(true);
    await alarms;
    expect(asked.mock.calls).toEqual([['/api/v1/devices'], ['/api/v1/alarms']]);
    // Another connection: what changed in between nobody has told.
    expect(endWaitForLive()).toBe(false);
  });

  it('does not wait for a socket that does not come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expectLive();
    // The time begins with the first question: until then the screen is being loaded.
    await vi.advanceTimersByTimeAsync(5_000);
    const alarms = createStore().dispatch(listAlarms.initiate({}));
    await vi.advanceTimersByTimeAsync(1_900);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect((await alarms).isSuccess).toBe(true);
    expect(endWaitForLive()).toBe(false);
  });
});
