import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { i18n } from '@/i18n/i18n';

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

class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= NoResizeObserver;
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
