import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered } from '@/api/networkSlice';
import { ScreenNotLoaded } from '@/lib/screenNotLoaded';
import * as reload from './reload';
import { RouteError } from './RouteError';
import { createStore } from '@/store';
import { renderRoutes } from '@/testing/render';

function show(error: Error) {
  const store = createStore();
  const fails = () => {
    throw error;
  };
  vi.spyOn(console, 'error').mockReturnValue();
  renderRoutes(
    [{ path: '/', errorElement: <RouteError />, loader: fails, element: null, hydrateFallbackElement: <p /> }],
    '/',
    store,
  );
  return store;
}

const reloaded = vi.fn();
beforeEach(() => {
  sessionStorage.clear();
  reloaded.mockClear();
  vi.spyOn(reload.page, 'reload').mockImplementation(reloaded);
});

describe('a screen whose code could not be loaded', () => {
  it('says that the server is away, and is loaded when it is back', async () => {
    const store = show(new ScreenNotLoaded('x'));
    expect(await screen.findByText(/^Server tidak dapat dihubungi\. Halaman ini dimuat/)).toBeTruthy();
    await waitFor(() => expect(store.getState().network).toBe('unreachable'));
    expect(reloaded).not.toHaveBeenCalled();
    act(() => void store.dispatch(answered()));
    await waitFor(() => expect(reloaded).toHaveBeenCalledOnce());
  });

  it('is not loaded again and again', async () => {
    sessionStorage.setItem('reloaded_at', String(Date.now()));
    const store = show(new ScreenNotLoaded('x'));
    await waitFor(() => expect(store.getState().network).toBe('unreachable'));
    act(() => void store.dispatch(answered()));
    expect(store.getState().network).toBe('up');
    expect(reloaded).not.toHaveBeenCalled();
  });
});

describe('a screen that fails while it is drawn', () => {
  it('blames no network', async () => {
    const store = show(new Error('x'));
    expect(await screen.findByText(/^Muat ulang halaman/)).toBeTruthy();
    expect(store.getState().network).toBe('up');
  });
});
