import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { i18n, startI18n } from '@/i18n/i18n';

// What Mantine asks of a browser and jsdom does not have.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    addListener: vi.fn(),
    removeListener: vi.fn(),
  }) as unknown as MediaQueryList;

window.ResizeObserver ??= class implements ResizeObserver {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};
Element.prototype.scrollIntoView ??= () => undefined;

beforeAll(async () => {
  localStorage.setItem('language', 'id');
  await startI18n();
  await i18n.loadNamespaces(['auth', 'devices', 'maps', 'rejections', 'tenants', 'users']);
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});
