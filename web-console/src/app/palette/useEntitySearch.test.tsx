import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { useEntitySearch } from './useEntitySearch';

setUpTestServer();

function Shown() {
  const { groups, failed } = useEntitySearch('truk');
  return (
    <p>{failed ? 'failed' : groups.flatMap(({ items }) => items.map(({ label }) => label)).join() || 'nothing'}</p>
  );
}

describe('searching', () => {
  it('asks for devices on behalf of those alone who may see them', async () => {
    const asked = vi.fn();
    server.use(
      http.get(at('/api/v1/devices'), () => {
        asked();
        return HttpResponse.json({ error: 'forbidden' }, { status: 403 });
      }),
      http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [{ id: 'u', name: 'Pak Trukno' }], total: 1 })),
    );
    const store = createStore();
    store.dispatch(signedIn(loginAnswer({ permissions: ['user:list'] })));
    renderAt(<Shown />, '/', store);
    expect(await screen.findByText('Pak Trukno')).toBeTruthy();
    expect(asked).not.toHaveBeenCalled();
  });
});
