import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '@/store';
import { checkNetwork, watchNetwork } from './watchNetwork';

const later = () => new Promise((resolve) => setTimeout(resolve, 0));
let stop: () => void;
let onBack: ReturnType<typeof vi.fn<() => void>>;
let store: ReturnType<typeof createStore>;
const answers = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', answers);
  onBack = vi.fn();
  store = createStore();
  stop = watchNetwork({
    current: () => store.getState().network,
    subscribe: (listener) => store.subscribe(listener),
    dispatch: (action) => store.dispatch(action),
    onBack,
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

describe('a look at a server of which one call was not answered', () => {
  it('says nothing when it answers others', async () => {
    answers.mockResolvedValue(new Response('{}'));
    checkNetwork();
    await later();
    expect(answers).toHaveBeenCalledOnce();
    expect(store.getState().network).toBe('up');
    expect(onBack).not.toHaveBeenCalled();
  });

  it('says that it is away when it answers nobody, and looks on until it is back', async () => {
    answers.mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue(new Response('{}'));
    checkNetwork();
    await vi.waitFor(() => expect(store.getState().network).toBe('unreachable'));
    await vi.waitFor(() => expect(onBack).toHaveBeenCalledOnce(), 3_000);
    expect(store.getState().network).toBe('up');
  });
});
