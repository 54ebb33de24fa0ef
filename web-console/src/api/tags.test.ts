import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from '@/store';
import { at, server, setUpTestServer } from '@/testing/server';
import { api, untagged } from '@/api/api';
import { generatedApi } from '@/api/generated';
import { signInApi } from '@/api/generatedSignIn';

setUpTestServer();

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
  const names = [...new Set([generatedApi, signInApi].flatMap((part) => Object.keys(part.endpoints)))];

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
    await Promise.all([
      dispatch(api.endpoints.listDevices.initiate({})),
      dispatch(api.endpoints.getDevice.initiate({ id: 'a' })),
      dispatch(api.endpoints.getDevice.initiate({ id: 'b' })),
      dispatch(api.endpoints.listUsers.initiate({})),
    ]);
    asked.mockClear();
    await dispatch(api.endpoints.updateDevice.initiate({ id: 'b', deviceInput: { name: '' } }));
    expect(asked).not.toHaveBeenCalled();
    await dispatch(api.endpoints.updateDevice.initiate({ id: 'a', deviceInput: { name: 'x' } }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    expect(asked.mock.calls.flat().sort()).toEqual(['/api/v1/devices', '/api/v1/devices/a']);
  });
});
