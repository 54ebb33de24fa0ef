import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from '@/store';
import { changesOf } from '@/resource/calls';
import { at, server, setUpTestServer } from '@/testing/server';
import { api } from '@/api/api';
import { devicesApi } from '@/api/calls/devices';
import { usersApi } from '@/api/calls/users';
import untagged from '@/api/untagged.json';

setUpTestServer();

// All calls, wherever a page of the console would load them.
import.meta.glob('./calls/*.ts', { eager: true });

interface Tags {
  providesTags?: unknown;
  invalidatesTags?: unknown;
}

/** What an endpoint says of tags. */
function tagsOf(name: string): Tags {
  let tags: Tags = {};
  const read = (definition: Tags) => void (tags = definition);
  api.enhanceEndpoints({ endpoints: { [name]: read } });
  return tags;
}

describe('tags', () => {
  const names = Object.keys(api.endpoints);

  it.each(names)('%s has tags, or a reason for none', (name) => {
    const { providesTags, invalidatesTags } = tagsOf(name);
    expect(providesTags !== undefined || invalidatesTags !== undefined).toBe(!(name in untagged));
  });

  it('gives no reason for what does not exist', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(untagged)));
  });

  it('fetches again what has changed and nothing else', async () => {
    const asked = vi.fn<(path: string) => void>();
    server.use(
      http.get(at('/api/v1/*'), ({ request }) => {
        const { pathname } = new URL(request.url);
        asked(pathname);
        const id = pathname.split('/')[4];
        return HttpResponse.json(id ? { id } : { items: [{ id: 'a' }, { id: 'b' }], total: 2 });
      }),
      http.put(at('/api/v1/devices/a'), () => HttpResponse.json({ id: 'a' })),
      http.put(at('/api/v1/devices/b'), () => HttpResponse.json({ error: 'invalid', message: 'x' }, { status: 422 })),
    );
    const { dispatch } = createStore();
    const { listDevices, getDevice, updateDevice } = devicesApi.endpoints;
    await Promise.all([
      dispatch(listDevices.initiate({})),
      dispatch(getDevice.initiate({ id: 'a' })),
      dispatch(getDevice.initiate({ id: 'b' })),
      dispatch(usersApi.endpoints.listUsers.initiate({})),
    ]);
    asked.mockClear();
    await dispatch(updateDevice.initiate({ id: 'b', deviceInput: { name: '' } }));
    expect(asked).not.toHaveBeenCalled();
    await dispatch(updateDevice.initiate({ id: 'a', deviceInput: { name: 'x' } }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    // The same by the calls that all resources have.
    await changesOf('devices', dispatch).update('a', 1, { name: 'y' });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(4));
    const [one, other] = [asked.mock.calls.slice(0, 2), asked.mock.calls.slice(2)];
    for (const calls of [one, other]) expect(calls.flat().sort()).toEqual(['/api/v1/devices', '/api/v1/devices/a']);
  });
});
