import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { api } from '@/api/api';
import { devicesApi } from '@/api/calls/devices';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';

setUpTestServer();

const { listDevices, getDevice, deleteDevice } = devicesApi.endpoints;
const page = (total: number) => HttpResponse.json({ items: [], total });

function signedInStore() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer()));
  return store;
}

/** A server whose list of devices is answered as the test says, call by call. */
function heldLists() {
  const answers: ((total: number) => void)[] = [];
  server.use(
    http.get(at('/api/v1/devices'), () => new Promise<Response>((answer) => answers.push((n) => answer(page(n))))),
    http.delete(at('/api/v1/devices/device-1'), () => new HttpResponse(null, { status: 204 })),
  );
  const isAsked = (times: number) => vi.waitFor(() => expect(answers).toHaveLength(times));
  return { answers, isAsked };
}

describe('a change', () => {
  it('is asked for at once while another call hangs', async () => {
    const { answers, isAsked } = heldLists();
    server.use(http.get(at('/api/v1/devices/hangs'), () => new Promise<never>(() => undefined)));
    const { dispatch, getState } = signedInStore();
    const list = dispatch(listDevices.initiate({}));
    await isAsked(1);
    answers[0]?.(1);
    await list;
    const hanging = dispatch(getDevice.initiate({ id: 'hangs' }));
    await dispatch(deleteDevice.initiate({ id: 'device-1' }));
    await isAsked(2);
    // What was asked for because of the change is new: not a third time.
    answers[1]?.(0);
    await vi.waitFor(() => expect(listDevices.select({})(getState()).data).toMatchObject({ total: 0 }));
    expect(listDevices.select({})(getState()).status).toBe('fulfilled');
    hanging.abort();
  });

  it.each([
    ['for the first time', false],
    ['once more', true],
  ])('is not lost to a list that is being fetched %s', async (_when, before) => {
    const { answers, isAsked } = heldLists();
    const { dispatch, getState } = signedInStore();
    const query = dispatch(listDevices.initiate({}));
    await isAsked(1);
    if (before) {
      answers[0]?.(1);
      await query;
      void query.refetch();
      await isAsked(2);
    }
    await dispatch(deleteDevice.initiate({ id: 'device-1' }));
    const asked = answers.length;
    answers.at(-1)?.(1);
    await isAsked(asked + 1);
    answers.at(-1)?.(0);
    await vi.waitFor(() => expect(listDevices.select({})(getState()).data).toMatchObject({ total: 0 }));
  });

  it('of other things does not have a list fetched twice', async () => {
    const { answers, isAsked } = heldLists();
    const { dispatch, getState } = signedInStore();
    const query = dispatch(listDevices.initiate({}));
    await isAsked(1);
    dispatch(api.util.invalidateTags(['users']));
    answers[0]?.(1);
    await query;
    expect(listDevices.select({})(getState()).status).toBe('fulfilled');
  });
});
