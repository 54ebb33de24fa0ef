import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { NAMESPACES, i18n, startI18n } from '@/i18n/i18n';

// A machine that builds something else at the same time is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

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
if (!('fonts' in document)) {
  const fonts = Object.assign(new EventTarget(), { ready: Promise.resolve() });
  Object.defineProperty(document, 'fonts', { value: fonts, configurable: true });
}

beforeAll(async () => {
  localStorage.setItem('language', 'id');
  await startI18n();
  await i18n.loadNamespaces(NAMESPACES);
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});
